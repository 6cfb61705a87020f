import FerryCore
import FerryLocal
import FerryMemory
import FerryTestKit
import Foundation
import NIOCore
import Testing

@testable import FerryTransfer

@Suite("Bad days: what changes, vanishes, loops, fills up or is away")
struct BadDayTests {
    private let source = FaultInjectingFileProvider(MemoryFileProvider())
    private let target = FaultInjectingFileProvider(MemoryFileProvider())

    private func transfer(
        from source: (any TransferPlace.Storage)? = nil,
        to target: (any TransferPlace.Storage)? = nil,
        clock: any Clock<Duration> = NoWaiting(),
        _ change: (inout TransferOptions) -> Void = { _ in }
    ) throws -> Transfer {
        var options = TransferOptions()
        change(&options)
        return try Transfer(
            from: TransferPlace(source ?? self.source, "/a"),
            to: TransferPlace(target ?? self.target, "/b"),
            options: options,
            clock: clock
        )
    }

    @Test("a source that changes between listing and reading is copied as it is now, and is the same in a second pass")
    func changedBeforeReading() async throws {
        try await Tree.plant(["/a/1": "one"], in: source.base)
        let base = source.base
        source.plan = FaultPlan([
            .init(
                .contentStream,
                on: .call(1),
                fault: .meanwhile {
                    try? await Tree.write("changed", to: "/a/1", in: base, date: 5_000)
                }
            )
        ])
        #expect(try await transfer().run().isComplete)
        #expect(try await Tree.lines(of: target, below: "/b") == ["/1 changed"])
        #expect(try await transfer().run().counts == [.skip: 1])
    }

    @Test("a source that ends early, whether it says so or not, is read once more")
    func endsEarly() async throws {
        try await Tree.plant(["/a/1": "0123456789", "/a/2": "0123456789"], in: source.base)
        source.plan = FaultPlan([
            .init(.contentStream, path: "/a/1", on: .call(1), fault: .cut(afterBytes: 3, nil)),
            .init(
                .contentStream,
                path: "/a/2",
                on: .call(1),
                fault: .cut(afterBytes: 3, URLError(.networkConnectionLost))
            ),
        ])
        let report = try await transfer().run()
        #expect(report.isComplete, "\(report.lines)")
        #expect(try await Tree.lines(of: target, below: "/b") == ["/1 0123456789", "/2 0123456789"])
    }

    @Test("a file that vanishes after it was listed is told, and nothing of it is left")
    func vanished() async throws {
        try await Tree.plant(["/a/1": "one", "/a/2": "two", "/a/d/3": "three"], in: source.base)
        let base = source.base
        source.plan = FaultPlan([
            .init(.contentStream, path: "/a/1", fault: .meanwhile { try? await base.removeItem(path: "/a/1") }),
            .init(
                .directoryListing,
                path: "/a/d",
                on: .call(1),
                fault: .meanwhile {
                    try? await base.removeItem(path: "/a/d")
                }
            ),
        ])
        let report = try await transfer().run()
        #expect(report.failures.map(\.action.path).sorted() == ["/1", "/d"])
        #expect(report.failures.allSatisfy { ($0.error as? CocoaError)?.code == .fileNoSuchFile })
        #expect(try await Tree.lines(of: target, below: "/b") == ["/2 two", "/d/"])
    }

    @Test("a folder that contains itself is told, not followed", arguments: [true, false])
    func loops(byIdentifier: Bool) async throws {
        try await Tree.plant(["/a/1": "one", "/a/d/2": "two"], in: source.base)
        let looping = Looping(base: source.base, byIdentifier: byIdentifier)
        let report = try await transfer(from: looping).run()
        #expect(report.failures.map(\.action.reason) == [.loop])
        #expect(try await Tree.lines(of: target, below: "/b") == ["/1 one", "/d/", "/d/2 two"])
    }

    @Test("a target that fills up keeps what is complete, and gets the rest when there is room")
    func full() async throws {
        try await Tree.plant(["/a/1": "1111", "/a/2": "2222", "/a/3": "3333"], in: source.base)
        let small = MemoryFileProvider(capacity: 9)
        let report = try await transfer(to: small) { $0.concurrency = 1 }.run()
        #expect(report.failures.map { ($0.error as? CocoaError)?.code } == [.fileWriteOutOfSpace])
        #expect(try await Tree.lines(of: small, below: "/b") == ["/1 1111", "/2 2222"])
        try await source.base.removeItem(path: "/a/1")
        #expect(try await transfer(to: small) { $0.mode = .sync }.run().failures.count == 1, "it is still full")
        #expect(try await transfer(to: small) { $0.mode = .sync }.run().isComplete)
        #expect(try await Tree.lines(of: small, below: "/b") == ["/2 2222", "/3 3333"])
    }

    @Test("a storage that is away for 20 seconds is waited for, and nothing fails")
    func outage() async throws {
        try await Tree.plant(["/a/1": "one", "/a/d/2": "two"], in: source.base)
        let clock = NoWaiting()
        let away = Away(base: target.base) { clock.total < .seconds(20) }
        let report = try await transfer(to: away, clock: clock) { $0.concurrency = 1 }.run()
        #expect(report.isComplete, "\(report.lines)")
        #expect(try await Tree.lines(of: target.base, below: "/b") == ["/1 one", "/d/", "/d/2 two"])
        #expect(clock.total < .seconds(60))
    }

    @Test("a storage that stays away is not waited for again by each file")
    func deadStorage() async throws {
        for number in 0..<50 { try await Tree.plant(["/a/\(number)": "x"], in: source.base) }
        try await target.base.create(folder: "b", at: "/")
        let clock = NoWaiting()
        target.plan = FaultPlan([.init(.writeStream, fault: .error(URLError(.cannotConnectToHost)))])
        let report = try await transfer(clock: clock) { $0.concurrency = 1 }.run()
        #expect(report.failures.count == 50)
        // The first waits for a minute, the others try four times each.
        #expect(clock.total > .seconds(60) && clock.total < .seconds(60 + 50 * 2 + 10))
        #expect(target.count(of: .writeStream) < 50 * 4 + 30)
    }

    @Test("an answer that got lost is not taken for a failure, nor for somebody else's file")
    func lostAnswers() async throws {
        try await Tree.plant(["/a/1": "one", "/a/d/2": "two", "/a/3": "new"], in: source.base, date: 2_000)
        try await Tree.plant(["/b/3": "old", "/b/4": "x"], in: target.base)
        target.plan = FaultPlan([
            .init(.writeStream, path: "/b/1", on: .call(1), fault: .lostAnswer(URLError(.networkConnectionLost))),
            .init(.writeStream, path: "/b/3", on: .call(1), fault: .lostAnswer(URLError(.networkConnectionLost))),
            .init(.createFolder, on: .call(1), fault: .lostAnswer(URLError(.networkConnectionLost))),
            .init(.removeItem, on: .call(1), fault: .lostAnswer(URLError(.networkConnectionLost))),
        ])
        let report = try await transfer {
            $0.mode = .sync
            $0.largestRemoval = 1
        }.run()
        #expect(report.isComplete, "\(report.lines)")
        #expect(try await Tree.lines(of: target, below: "/b") == ["/1 one", "/3 new", "/d/", "/d/2 two"])

        // Nothing was written by us, and somebody else was quicker.
        let base = target.base
        try await Tree.plant(["/a/5": "mine"], in: source.base)
        target.plan = FaultPlan([
            .init(
                .writeStream,
                path: "/b/5",
                on: .call(1),
                fault: .meanwhile {
                    try? await Tree.write("theirs", to: "/b/5", in: base, date: 9_000)
                }
            )
        ])
        let second = try await transfer().run()
        #expect(second.failures.map(\.action.path) == ["/5"])
        #expect(try await target.contents(path: "/b/5") == Data("theirs".utf8))
    }

    @Test("of a move to a storage without dates whose answer got lost, the contents tell", arguments: [true, false])
    func lostAnswerOfMove(isOurs: Bool) async throws {
        try await Tree.plant(["/a/1": "one"], in: source.base)
        let base = target.base
        target.plan = FaultPlan([
            .init(
                .writeStream,
                on: .call(1),
                fault: isOurs
                    ? .lostAnswer(URLError(.networkConnectionLost))
                    : .meanwhile {
                        try? await Tree.write("two", to: "/b/1", in: base, date: 1_000)
                    }
            )
        ])
        let report = try await transfer(to: StorageWithout(.dates, target)) { $0.mode = .move }.run()
        #expect(report.isComplete == isOurs, "\(report.lines)")
        #expect(try await Tree.lines(of: target, below: "/b") == [isOurs ? "/1 one" : "/1 two"])
        #expect(try await source.base.contentsOfDirectory(path: "/").isEmpty == isOurs)
    }

    @Test("one folder can't go into the other, nor the backup folder into either")
    func overlapping() async throws {
        let memory = source.base
        #expect(throws: CocoaError.self) {
            _ = try Transfer(from: TransferPlace(memory, "/a"), to: TransferPlace(memory, "/a/b"))
        }
        #expect(throws: CocoaError.self) {
            _ = try Transfer(from: TransferPlace(memory, "/a"), to: TransferPlace(memory, "/a"))
        }
        #expect(throws: CocoaError.self) {
            var options = TransferOptions()
            options.backupFolder = "/b/old"
            _ = try Transfer(from: TransferPlace(memory, "/a"), to: TransferPlace(memory, "/b"), options: options)
        }
    }

    @Test("two storages of this machine may not overlap either")
    func overlappingFolders() async throws {
        try await withTemporaryFolder { folder in
            let (outer, inner) = (
                LocalFileProvider(baseURL: folder), LocalFileProvider(baseURL: folder.appending(path: "a"))
            )
            #expect(throws: CocoaError.self) {
                _ = try Transfer(from: TransferPlace(outer, "/a"), to: TransferPlace(inner, "/b"))
            }
            #expect(throws: CocoaError.self) {
                _ = try Transfer(from: TransferPlace(inner, "/"), to: TransferPlace(outer, "/a"))
            }
            _ = try Transfer(from: TransferPlace(inner, "/"), to: TransferPlace(outer, "/b"))
        }
    }

    @Test("nor may they by way of a link")
    func overlappingLinks() async throws {
        try await withTemporaryFolder { folder in
            let disk = LocalFileProvider(baseURL: folder)
            try await Tree.plant(["/a/d/1": "one", "/b/": ""], in: disk)
            try await disk.create(symbolicLink: "/link", withDestination: "a")
            let linked = LocalFileProvider(baseURL: folder.appending(path: "link"))
            func expectRefused(_ source: TransferPlace, _ target: TransferPlace, backup: ItemPath? = nil) {
                var options = TransferOptions()
                options.mode = .move
                options.backupFolder = backup
                #expect(throws: CocoaError.self) { _ = try Transfer(from: source, to: target, options: options) }
            }
            // To move a folder onto itself would remove it.
            expectRefused(TransferPlace(disk, "/a/d"), TransferPlace(disk, "/link/d"))
            expectRefused(TransferPlace(disk, "/link/d"), TransferPlace(disk, "/a"))
            expectRefused(TransferPlace(disk, "/a"), TransferPlace(disk, "/link/new/one"))
            expectRefused(TransferPlace(disk, "/a"), TransferPlace(linked, "/"))
            expectRefused(TransferPlace(linked, "/d"), TransferPlace(disk, "/a/d"))
            expectRefused(TransferPlace(disk, "/b"), TransferPlace(disk, "/a/d"), backup: "/link/d/old")
            expectRefused(TransferPlace(disk, "/b"), TransferPlace(linked, "/d"), backup: "/")
            // The link itself is another item, and what only begins with the same name another folder.
            _ = try Transfer(from: TransferPlace(disk, "/link"), to: TransferPlace(disk, "/a/copy"))
            _ = try Transfer(from: TransferPlace(disk, "/a/d"), to: TransferPlace(disk, "/link/d2"))
        }
    }

    @Test("a source that isn't there is an error, and the target stays as it is")
    func noSource() async throws {
        let error = await #expect(throws: CocoaError.self) { try await transfer().run() }
        #expect(error?.code == .fileNoSuchFile)
        #expect(target.calls.allSatisfy { !$0.method.changesStorage })
    }
}

/// A storage whose folder `/a/d` lists the folder above it once more: by its path, or by its identifier.
private struct Looping<Base: FileProviderBasic>: FileProviderWrapper {
    let base: Base
    let byIdentifier: Bool

    func directoryListing(path: ItemPath) -> DirectoryListing {
        DirectoryListing.paged { [base, byIdentifier] (_: Int?) in
            var items = try await base.contentsOfDirectory(path: path)
            if path == "/a/d" {
                var loop = FileObject(name: "again", in: path, type: .directory)
                if byIdentifier {
                    loop.id = try await base.contentsOfDirectory(path: "/a").first { $0.name == "d" }?.id
                } else {
                    loop.path = "/a"
                }
                items.append(loop)
            }
            return (items, nil)
        }
    }
}

extension Looping: FileProviderOperations where Base: FileProviderOperations {}
extension Looping: FileProviderReadWrite where Base: FileProviderReadWrite {}
extension Looping: FileProviderReadWriteProgressive where Base: FileProviderReadWriteProgressive {}

/// A storage that can't be reached as long as something holds.
private struct Away<Base: FileProviderBasic>: FileProviderWrapper {
    let base: Base
    let isAway: @Sendable () -> Bool

    func pass<Result: Sendable>(
        _ call: FileProviderCall,
        _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        if isAway() { throw URLError(.cannotConnectToHost) }
        return try await body()
    }
}

extension Away: FileProviderOperations where Base: FileProviderOperations {}
extension Away: FileProviderReadWrite where Base: FileProviderReadWrite {}
extension Away: FileProviderReadWriteProgressive where Base: FileProviderReadWriteProgressive {}
