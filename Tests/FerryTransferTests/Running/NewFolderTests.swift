import FerryCore
import FerryMemory
import FerryTestKit
import FerryTestServers
import FerryWebDAV
import Foundation
import Synchronization
import Testing

@testable import FerryTransfer

@Suite("New folders come with their small files where the target is quicker so")
struct NewFolderTests {
    private typealias Target = FaultInjectingFileProvider<InNewFolders<MemoryFileProvider>>

    private let source = MemoryFileProvider()

    private func target(_ limits: BulkLimits = BulkLimits(fileCount: 3, byteCount: 1 << 20)) -> Target {
        FaultInjectingFileProvider(InNewFolders(MemoryFileProvider(), limits: limits))
    }

    private func plant() async throws {
        try await Tree.plant(
            [
                "/a/1": "1", "/a/d/1": "one", "/a/d/2": "two", "/a/d/3": "three", "/a/d/4": "four", "/a/d/e/5": "five",
                "/a/d/e/6": "six", "/a/f/7": "alone", "/a/g/": "",
            ],
            in: source
        )
        try await source.create(symbolicLink: "/a/d/link", withDestination: "1")
    }

    private func copy(
        to target: Target,
        _ change: (inout TransferOptions) -> Void = { _ in }
    ) async throws -> TransferReport {
        var options = TransferOptions()
        change(&options)
        let transfer = try Transfer(
            from: TransferPlace(source, "/a"),
            to: TransferPlace(target, "/b"),
            options: options,
            retryPolicy: RetryPolicy(maximumAttempts: 3, firstDelay: .milliseconds(1)),
            clock: SteppingClock()
        )
        return try await transfer.run()
    }

    @Test("as many as it takes; the others, links and folders come then")
    func together() async throws {
        try await plant()
        let target = target()
        let report = try await copy(to: target)
        #expect(report.isComplete && report.counts == [.makeFolder: 5, .add: 9], "\(report.lines)")
        #expect(try await Tree.lines(of: target.base.base, below: "/b") == Tree.lines(of: source, below: "/a"))
        // Of one file it is not worth while.
        #expect(target.count(of: .writeFolder) == 2 && target.count(of: .createFolder) == 3)
        #expect(target.count(of: .writeStream) == 2)
        #expect(try await copy(to: target).counts == [.skip: 9])
    }

    @Test("one by one where that fails, or where the order is to be kept, or originals go")
    func oneByOne() async throws {
        try await plant()
        let target = target()
        target.plan = FaultPlan([.init(.writeFolder, on: .always, fault: .error(URLError(.badServerResponse)))])
        #expect(try await copy(to: target).isComplete)
        #expect(try await Tree.lines(of: target.base.base, below: "/b") == Tree.lines(of: source, below: "/a"))
        #expect(target.count(of: .writeFolder) == 2 && target.count(of: .writeStream) == 8)

        for number in [0, 1] {
            let other = self.target()
            let expected = try await Tree.lines(of: source, below: "/a")
            let report = try await copy(to: other) { options in
                if number == 0 { options.order = TransferOrder(.size) } else { options.mode = .move }
            }
            #expect(report.isComplete && other.count(of: .writeFolder) == 0, "\(report.lines)")
            #expect(try await Tree.lines(of: other.base.base, below: "/b") == expected)
        }
    }

    @Test("what was done, though the answer got lost, is taken for done")
    func lostAnswer() async throws {
        try await plant()
        let target = target()
        let lost = URLError(.networkConnectionLost)
        target.plan = FaultPlan([.init(.writeFolder, on: .always, fault: .lostAnswer(lost))])
        let report = try await copy(to: target)
        #expect(report.isComplete, "\(report.lines)")
        #expect(try await Tree.lines(of: target.base.base, below: "/b") == Tree.lines(of: source, below: "/a"))
    }

    @Test("what somebody else has put there meanwhile stays")
    func meanwhile() async throws {
        try await plant()
        let target = target()
        let storage = target.base.base
        target.plan = FaultPlan([
            .init(
                .writeFolder,
                path: "/b/d",
                on: .call(1),
                fault: .meanwhile {
                    try? await storage.create(folder: "d", at: "/b")
                    try? await storage.writeContents(path: "/b/d/2", contents: Data("theirs".utf8))
                }
            )
        ])
        let report = try await copy(to: target)
        #expect(report.failures.map(\.action.path) == ["/d/2"], "\(report.lines)")
        let lines = try await Tree.lines(of: storage, below: "/b")
        #expect(lines.contains("/d/2 theirs") && lines.contains("/d/1 one") && lines.contains("/d/e/5 five"))
    }

    @Test("portion by portion, and what is too large comes then; bytes and files are counted once")
    func portions() async throws {
        try await Tree.plant(["/a/d/": ""], in: source)
        for number in 0..<20 { try await Tree.write("\(number)", to: "/a/d/\(number)", in: source, date: 1_000) }
        let large = String(repeating: "x", count: 5_000)
        try await Tree.write(large, to: "/a/d/large", in: source, date: 1_000)
        let target = target(BulkLimits(fileCount: 3, byteCount: 4_000))
        let progress = Progress(totalUnitCount: -1)
        let events = Mutex<[String]>([])
        let transfer = try Transfer(
            from: TransferPlace(source, "/a"),
            to: TransferPlace(target, "/b"),
            clock: SteppingClock()
        )
        let report = try await transfer.run(reporting: progress) { event in
            if case .did(let action) = event { events.withLock { $0.append("\(action.kind) \(action.path)") } }
        }
        #expect(report.isComplete && report.counts == [.makeFolder: 2, .add: 21], "\(report.lines)")
        let bytes = Int64(10 + 20 + 5_000)
        #expect(report.bytes == bytes && progress.totalUnitCount == bytes && progress.isFinished)
        #expect(target.count(of: .writeFolder) == 1 && target.count(of: .writeStream) == 1)
        #expect(try await Tree.lines(of: target.base.base, below: "/b") == Tree.lines(of: source, below: "/a"))
        let expected = ["makeFolder /", "makeFolder /d", "add /d/large"] + (0..<20).map { "add /d/\($0)" }
        #expect(events.withLock { $0.sorted() } == expected.sorted())
    }

    @Test("what a killed run has left beside a new folder goes with the next run of the same job")
    func killed() async throws {
        try await Tree.plant(["/a/1": "1", "/a/2": "2"], in: source)
        try await withTemporaryFolder { folder in
            let journal = try await TransferJournal.open(at: folder.appending(path: "journal.sqlite"))
            let target = target()
            let broken = FaultPlan([.init(.writeFolder, on: .always, fault: .error(URLError(.badServerResponse)))])
            let transfer = try Transfer(
                from: TransferPlace(source, "/a"),
                to: TransferPlace(target, "/b"),
                retryPolicy: RetryPolicy(maximumAttempts: 1)
            )
            target.plan = FaultPlan(
                broken.rules + [.init(.createFolder, on: .always, fault: .error(URLError(.badServerResponse)))]
            )
            #expect(try await transfer.run(journal: journal).failures.count == 1)
            let job = try #require(try await journal.jobs().first)
            let storage = target.base.base
            for run: UInt8 in 0...255 {
                let mark = try #require(TemporaryOwner(work: job.id, run: run)).mark
                try await storage.create(folder: "ferry-\(mark)-aaaa-4aaa-8aaa-aaaaaaaaaaaa.tmp", at: "/")
            }
            try await storage.writeContents(path: "/ferry-theirs.tmp", contents: Data())
            target.plan = FaultPlan([])
            #expect(try await transfer.run(journal: journal).isComplete)
            #expect(target.count(of: .writeFolder) == 2)
            let names = try await storage.contentsOfDirectory(path: "/").map(\.name).sorted()
            // Only what this very run might be writing stays besides.
            #expect(names.count == 3 && names.contains("b") && names.contains("ferry-theirs.tmp"), "\(names)")
        }
    }

    @Test("so it is at nginx: a request for each file, and two for the folder")
    func nginx() async throws {
        let server = try await RealServer.shared(.nginx)
        let place = try server.makePlace(server.http)
        defer { place.remove() }
        let storage = FaultInjectingFileProvider(
            try WebDAVFileProvider(
                baseURL: place.url,
                credential: FileProviderCredential(user: server.user, secret: .password(server.password))
            )
        )
        try await Tree.plant(["/a/d0/": "", "/a/d1/": ""], in: source)
        for number in 0..<40 {
            try await Tree.write("\(number)", to: "/a/d\(number % 2)/\(number)", in: source, date: 1)
        }
        let transfer = try Transfer(
            from: TransferPlace(source, "/a"),
            to: TransferPlace(storage, "/b"),
            clock: SteppingClock()
        )
        let report = try await transfer.run()
        #expect(report.isComplete, "\(report.lines)")
        #expect(storage.count(of: .writeFolder) == 2 && storage.count(of: .writeStream) == 0)
        #expect(try await Tree.lines(of: storage, below: "/b") == Tree.lines(of: source, below: "/a"))
        #expect(try place.names().filter { $0.hasSuffix(".tmp") } == [])
    }
}
