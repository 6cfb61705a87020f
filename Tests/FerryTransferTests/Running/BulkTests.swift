import FerryCore
import FerryLocal
import FerryMemory
import FerryTestKit
import Foundation
import Synchronization
import Testing

@testable import FerryTransfer

@Suite("Small files go together where the target takes them so")
struct BulkTests {
    /// Files in one folder, with numbers for names.
    private static func plant(_ count: Int, in storage: MemoryFileProvider) async throws {
        try await storage.create(folder: "a", at: "/")
        for number in 0..<count { try await Tree.write("\(number)", to: "/a/\(number)", in: storage, date: 1_000) }
    }

    private static func expectCopied(_ count: Int, to storage: some FileProviderReadWrite) async throws {
        let lines = try await Tree.lines(of: storage, below: "/b")
        #expect(lines == (0..<count).map { "/\($0) \($0)" }.sorted())
    }

    @Test("from this machine as many as the target takes, from afar as many as leave no connection idle")
    func shares() async throws {
        // Four bulks may be under way at the beginning; the last files go one by one.
        for (isAway, largest) in [(false, 16), (true, 64 / (2 * 4))] {
            let source = MemoryFileProvider()
            try await Self.plant(64, in: source)
            let target = InBulk(MemoryFileProvider(), limits: BulkLimits(fileCount: 16, byteCount: 1 << 20))
            var options = TransferOptions()
            options.concurrency = 8
            let transfer = try Transfer(
                from: TransferPlace(InBulk(source, isAway: isAway), "/a"),
                to: TransferPlace(target, "/b"),
                options: options
            )
            let report = try await transfer.run()
            #expect(report.isComplete && report.counts[.add] == 64, "\(report.lines)")
            try await Self.expectCopied(64, to: target.base)
            #expect(target.bulks.max() == largest && target.bulks.reduce(0, +) >= 32, "\(target.bulks)")
        }
    }

    @Test("what has grown since it was listed goes by itself, and as it is now")
    func grown() async throws {
        let source = MemoryFileProvider()
        try await Self.plant(4, in: source)
        let long = String(repeating: "x", count: 5_000)
        let isGrown = Mutex(false)
        let growing = InBulk(source) { call in
            guard call.method == .contentStream,
                isGrown.withLock({ state in
                    defer { state = true }; return !state
                })
            else { return }
            try await Tree.write(long, to: "/a/2", in: source, date: 2_000)
        }
        let target = InBulk(MemoryFileProvider(), limits: BulkLimits(fileCount: 16, byteCount: 4_000))
        let transfer = try Transfer(from: TransferPlace(growing, "/a"), to: TransferPlace(target, "/b"))
        let report = try await transfer.run()
        #expect(report.isComplete && report.counts[.add] == 4, "\(report.lines)")
        #expect(target.bulks == [3])
        #expect(try await Tree.lines(of: target.base, below: "/b") == ["/0 0", "/1 1", "/2 \(long)", "/3 3"])
        #expect(try await target.base.attributesOfItem(path: "/b/2").modifiedDate == Date(timeIntervalSince1970: 2_000))
    }

    @Test("while the transfer is paused, nothing more is read", .timeLimit(.minutes(30)))
    func paused() async throws {
        let source = MemoryFileProvider()
        try await Self.plant(8, in: source)
        let control = TransferControl()
        let reads = Mutex(0)
        let watched = InBulk(source) { call in
            guard call.method == .contentStream else { return }
            if reads.withLock({ count in
                count += 1; return count
            }) == 3 {
                control.pause()
            }
        }
        let target = InBulk(MemoryFileProvider())
        let transfer = try Transfer(from: TransferPlace(watched, "/a"), to: TransferPlace(target, "/b"))
        async let report = transfer.run(control: control)
        while !control.isPaused { try await Task.sleep(for: .milliseconds(1)) }
        try await Task.sleep(for: .milliseconds(50))
        #expect(reads.withLock { $0 } == 3 && target.bulks.isEmpty)
        control.resume()
        #expect(try await report.isComplete)
        try await Self.expectCopied(8, to: target.base)
    }

    @Test("a folder of this machine takes them so, unless it can have them straight from where they are")
    func straight() async throws {
        try await withTemporaryFolder { folder in
            let disk = LocalFileProvider(baseURL: folder)
            try await Tree.plant(["/a/1": "1", "/a/2": "2", "/b/": ""], in: disk)
            let other = FaultInjectingFileProvider(LocalFileProvider(baseURL: folder.appending(path: "b")))
            #expect(
                try await Transfer(from: TransferPlace(disk, "/a"), to: TransferPlace(other, "/c")).run().isComplete
            )
            let one = FaultInjectingFileProvider(disk)
            #expect(try await Transfer(from: TransferPlace(one, "/a"), to: TransferPlace(one, "/d")).run().isComplete)
            #expect(other.count(of: .writeFiles) == 0 && one.count(of: .writeFiles) == 0)

            let memory = MemoryFileProvider()
            try await Tree.plant(["/a/1": "1", "/a/2": "2"], in: memory, date: 2_000)
            let transfer = try Transfer(from: TransferPlace(memory, "/a"), to: TransferPlace(other, "/e"))
            #expect(try await transfer.run().isComplete)
            #expect(other.count(of: .writeFiles) == 1 && other.count(of: .writeStream) == 0)
            let date = try await disk.attributesOfItem(path: "/b/e/2").modifiedDate
            #expect(date == Date(timeIntervalSince1970: 2_000))
            for top: ItemPath in ["/b/c", "/d", "/b/e"] {
                #expect(try await Tree.lines(of: disk, below: top) == ["/1 1", "/2 2"])
            }
        }
    }

    @Test("a file of this machine that has changed since it was listed is not replaced, however small")
    func changed() async throws {
        try await withTemporaryFolder { folder in
            let disk = FaultInjectingFileProvider(LocalFileProvider(baseURL: folder))
            try await Tree.plant(["/1": "old", "/2": "old"], in: disk.base)
            let source = MemoryFileProvider()
            try await Tree.plant(["/a/1": "new 1", "/a/2": "new 2"], in: source, date: 2_000)
            var options = TransferOptions()
            options.comparison = .nothing
            let hasChanged = Mutex(false)
            let reading = InBulk(source) { call in
                guard call.method == .contentStream,
                    hasChanged.withLock({ state in
                        defer { state = true }; return !state
                    })
                else { return }
                try await Tree.write("somebody else's", to: "/2", in: disk.base, date: 3_000)
            }
            options.concurrency = 1
            let transfer = try Transfer(
                from: TransferPlace(reading, "/a"),
                to: TransferPlace(disk, "/"),
                options: options,
                retryPolicy: RetryPolicy(maximumAttempts: 1)
            )
            let report = try await transfer.run()
            #expect(report.failures.count == 1 && report.counts[.update] == 1, "\(report.lines)")
            #expect(try await Tree.lines(of: disk.base, below: "/") == ["/1 new 1", "/2 somebody else's"])
        }
    }

    @Test("many that go to a server one by one are read together, and what can't be read is told as ever")
    func readTogether() async throws {
        try await withTemporaryFolder { folder in
            let disk = LocalFileProvider(baseURL: folder)
            try await disk.create(folder: "a", at: "/")
            for number in 0..<40 { try await Tree.write("\(number)", to: "/a/\(number)", in: disk, date: 1_000) }
            let memory = MemoryFileProvider()
            let target = InBulk(memory, limits: nil, isAway: true)
            let transfer = try Transfer(from: TransferPlace(disk, "/a"), to: TransferPlace(target, "/b"))
            let reader = try #require(BulkReader(transfer))
            var queue = WorkQueue(order: nil, to: transfer.target)
            let items = try await disk.contentsOfDirectory(path: "/a").sorted {
                ($0.name.count, $0.name) < ($1.name.count, $1.name)
            }
            queue.append(items.map { TransferAction(.add, "/\($0.name)", .missing, source: $0) })
            let popped = queue.popFirst()
            let first = try #require(popped)
            let works = reader.take(first, from: &queue, lanes: 2)
            #expect(works.count == 10 && queue.count == 30)
            try await disk.removeItem(path: "/a/7")
            try await Tree.write("grown", to: "/a/8", in: disk, date: 3_000)
            for (work, ahead) in zip(works, try await reader.read(works)) {
                let name = work.action.path.lastName
                guard name != "7" else {
                    #expect(ahead == nil)
                    continue
                }
                let content = try #require(ahead?.take())
                #expect(try await content.collect() == Data((name == "8" ? "grown" : name).utf8))
                #expect(ahead?.take() == nil, "it is there for the first try only")
            }

            let report = try await transfer.run()
            #expect(report.isComplete && report.counts[.add] == 39, "\(report.lines)")
            #expect(try await memory.attributesOfItem(path: "/b/8").modifiedDate == Date(timeIntervalSince1970: 3_000))
            let lines = try await Tree.lines(of: memory, below: "/b")
            #expect(lines == (0..<40).filter { $0 != 7 }.map { $0 == 8 ? "/8 grown" : "/\($0) \($0)" }.sorted())
        }
    }
}
