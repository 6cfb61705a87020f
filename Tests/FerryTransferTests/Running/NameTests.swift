import FerryCore
import FerryMemory
import FerryTestKit
import Foundation
import Testing

@testable import FerryTransfer

@Suite("Names that the other storage can't hold")
struct NameTests {
    private func copy(
        _ source: any TransferPlace.Storage,
        to target: any TransferPlace.Storage,
        _ mode: TransferOptions.Mode = .copy
    ) async throws -> TransferReport {
        var options = TransferOptions()
        options.mode = mode
        options.largestRemoval = 1
        return try await Transfer(from: TransferPlace(source, "/a"), to: TransferPlace(target, "/a"), options: options)
            .run()
    }

    @Test("they are encoded on the way there and decoded on the way back, and a second pass changes nothing")
    func thereAndBack() async throws {
        let (source, odd) = (MemoryFileProvider(), FaultInjectingFileProvider(MemoryFileProvider()))
        let target = StorageWithout(.oddNames, odd)
        let back = MemoryFileProvider()
        try await Tree.plant(["/a/why?": "1", "/a/c:/x:y": "2", "/a/plain": "3", "/a/real？": "4"], in: source)
        #expect(try await copy(source, to: target).isComplete)
        let there = try await Tree.lines(of: odd.base, below: "/a")
        #expect(there == ["/c：/", "/c：/x：y 2", "/plain 3", "/real‛？ 4", "/why？ 1"])
        let changes = odd.calls.count(where: \.method.changesStorage)
        let again = try await copy(source, to: target, .sync)
        #expect(again.isComplete && again.counts[.skip] == 4)
        #expect(odd.calls.count(where: \.method.changesStorage) == changes)
        #expect(try await copy(target, to: back).isComplete)
        #expect(try await Tree.lines(of: back, below: "/a") == Tree.lines(of: source, below: "/a"))
    }

    @Test("what can't be encoded is told while planning, and nothing is asked of the target about it")
    func tooLong() async throws {
        let source = MemoryFileProvider()
        let target = StorageWithout(.oddNames, MemoryFileProvider())
        try await Tree.plant(["/a/\(String(repeating: "n", count: 21))": "1", "/a/fine": "2"], in: source)
        let transfer = try Transfer(from: TransferPlace(source, "/a"), to: TransferPlace(target, "/a"))
        let plan = try await transfer.plan()
        #expect(plan.actions.filter { $0.kind == .refuse }.map(\.reason) == [.invalidName])
        let report = try await transfer.run()
        #expect(report.failures.map { ($0.error as? CocoaError)?.code } == [.fileWriteInvalidFileName])
        #expect(try await Tree.lines(of: target, below: "/a") == ["/fine 2"])
    }

    @Test("of names that differ in case only one is copied, and the others are told, never overwritten")
    func cases() async throws {
        let source = MemoryFileProvider()
        let target = StorageWithout(.caseSensitivity, MemoryFileProvider())
        try await Tree.plant(["/a/Read": "1", "/a/read": "2", "/a/d/x": "3", "/a/D/y": "4"], in: source)
        let transfer = try Transfer(from: TransferPlace(source, "/a"), to: TransferPlace(target, "/a"))
        #expect(
            try await transfer.plan().actions.filter { $0.kind == .refuse }.map(\.reason) == [.nameClash, .nameClash]
        )
        let report = try await transfer.run()
        #expect(report.failures.map(\.action.reason) == [.nameClash, .nameClash])
        let lines = try await Tree.lines(of: target, below: "/a")
        #expect(lines.count == 3)
        let again = try await transfer.run()
        #expect(again.failures.count == 2 && again.bytes == 0)
        #expect(try await Tree.lines(of: target, below: "/a") == lines)
    }

    @Test(
        "a move leaves all of those whose names differ in case only: the next one would overwrite the copy of the first"
    )
    func movedCases() async throws {
        let source = MemoryFileProvider()
        let target = StorageWithout(.caseSensitivity, MemoryFileProvider())
        try await Tree.plant(["/a/Read": "1", "/a/read": "22", "/a/other": "3"], in: source)
        for _ in 0..<3 {
            let report = try await copy(source, to: target, .move)
            #expect(report.failures.map(\.action.reason) == [.nameClash, .nameClash])
            #expect(try await Tree.lines(of: source, below: "/a") == ["/Read 1", "/read 22"])
            #expect(try await Tree.lines(of: target, below: "/a") == ["/other 3"])
        }
    }

    @Test("names that both sides can hold, or neither, stay as they are")
    func identity() {
        var paths = FileProviderCapabilities()
        paths.forbiddenCharacters = "/\0"
        let names = NameTranslation(from: paths, to: paths)
        #expect(names.isIdentity && names.plain("a／b") == "a／b" && names.name("a？") == "a？")
        // A storage that says nothing about slashes can't have them either, as long as it knows items by paths only.
        #expect(NameTranslation(from: paths, to: FileProviderCapabilities()).isIdentity)
        var free = FileProviderCapabilities()
        free.addressesByIdentifier = true
        let there = NameTranslation(from: free, to: paths)
        #expect(there.name(there.plain("a/b")) == "a／b")
        let back = NameTranslation(from: paths, to: free)
        #expect(back.name(back.plain("a／b")) == "a/b")
    }

    @Test("a target that hides names with a dot is asked for them, so that nothing is copied twice or written over")
    func hidden() async throws {
        let source = MemoryFileProvider()
        let inner = MemoryFileProvider()
        let target = StorageWithout(.dotNames, inner)
        try await source.create(folder: ".git", at: "/")
        for path in ["/.a", "/.git/.b", "/c"] as [ItemPath] {
            try await source.writeContents(path: path, contents: Data(path.string.utf8))
        }
        var options = TransferOptions()
        func run() async throws -> TransferReport {
            try await Transfer(from: TransferPlace(source), to: TransferPlace(target, "/to"), options: options).run()
        }
        #expect(try await run().counts[.add] == 3)
        let again = try await run()
        #expect(again.isComplete && again.counts == [.skip: 3], "\(again)")
        options.mode = .sync
        try await source.writeContents(path: "/.a", contents: Data("longer than before".utf8), overwrite: true)
        let third = try await run()
        #expect(third.isComplete && third.counts == [.update: 1, .skip: 2], "\(third)")
        #expect(try await inner.contents(path: "/to/.a") == Data("longer than before".utf8))
        let check = try await Transfer(from: TransferPlace(source), to: TransferPlace(target, "/to")).check()
        #expect(check.isSame)
    }

    @Test("links that the target can't have are counted as left, stay where they are, and alone are a failure")
    func links() async throws {
        let source = MemoryFileProvider()
        try await source.create(folder: "from", at: "/")
        try await source.writeContents(path: "/from/a", contents: Data("a".utf8))
        try await source.create(symbolicLink: "/from/l", withDestination: "a")
        let target = StorageWithout(.dates, MemoryFileProvider())
        var options = TransferOptions()
        let tree = TransferPlace(source, "/from")
        let report = try await Transfer(from: tree, to: TransferPlace(target, "/to"), options: options).run()
        #expect(report.isComplete && report.counts[.add] == 1 && report.counts[.skip] == 1)
        #expect(report.losses[.links] == 1)
        options.mode = .move
        let alone = try await Transfer(
            from: TransferPlace(source, "/from/l"),
            to: TransferPlace(target, "/l"),
            options: options
        )
        .run()
        #expect(alone.failures.count == 1)
        #expect(try await source.destination(ofSymbolicLink: "/from/l") == "a")
    }
}
