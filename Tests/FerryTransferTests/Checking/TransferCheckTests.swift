import FerryCore
import FerryMemory
import FerryTestKit
import Foundation
import Testing

@testable import FerryTransfer

@Suite("Comparing tells what differs, and changes nothing")
struct TransferCheckTests {
    private let source = FaultInjectingFileProvider(MemoryFileProvider())
    private let target = FaultInjectingFileProvider(MemoryFileProvider())

    private func check(_ change: (inout TransferOptions) -> Void = { _ in }) async throws -> TransferCheck {
        var options = TransferOptions()
        change(&options)
        let transfer = try Transfer(
            from: TransferPlace(source, "/a"),
            to: TransferPlace(target, "/b"),
            options: options
        )
        let check = try await transfer.check()
        #expect(source.calls.allSatisfy { !$0.method.changesStorage })
        #expect(target.calls.allSatisfy { !$0.method.changesStorage })
        return check
    }

    private func plant() async throws {
        try await Tree.plant(
            ["/a/same": "1", "/a/size": "22", "/a/content": "abc", "/a/d/only": "x", "/a/type": "f", "/a/e/deep": "y"],
            in: source.base
        )
        try await Tree.plant(
            ["/b/same": "1", "/b/size": "2", "/b/content": "abd", "/b/type/": "", "/b/e/deep": "y", "/b/f/extra": "z"],
            in: target.base
        )
    }

    @Test("by sizes and dates, each way")
    func listings() async throws {
        try await plant()
        try await Tree.plant(["/a/date": "x"], in: source.base, date: 5_000)
        try await Tree.plant(["/b/date": "x"], in: target.base, date: 6_000)
        let check = try await check()
        #expect(check.same == 3)
        #expect(
            check.lines == [
                "missing at target: /d", "differs: /date (other date)", "missing at source: /f",
                "differs: /size (other size)", "differs: /type (file against folder)",
            ]
        )
        #expect(!check.isSame)
        #expect(try JSONDecoder().decode(TransferCheck.self, from: JSONEncoder().encode(check)) == check)
    }

    @Test("by contents, read from both sides, where dates say nothing")
    func contents() async throws {
        try await plant()
        try await Tree.plant(["/a/date": "x"], in: source.base, date: 5_000)
        try await Tree.plant(["/b/date": "x"], in: target.base, date: 6_000)
        let check = try await check { $0.readsContents = true }
        #expect(
            check.differing.map { "\($0.path) \($0.difference?.rawValue ?? "")" } == [
                "/content contents", "/size size", "/type type",
            ]
        )
        #expect(check.same == 3)
    }

    @Test("by checksums that only one side tells")
    func checksums() async throws {
        let memory = MemoryFileProvider()
        try await Tree.plant(["/a/1": "one", "/a/2": "two"], in: source.base)
        try await Tree.plant(["/b/1": "one", "/b/2": "owt"], in: memory)
        var options = TransferOptions()
        options.comparison = .checksum
        let transfer = try Transfer(
            from: TransferPlace(source, "/a"),
            to: TransferPlace(WithChecksums(base: memory), "/b"),
            options: options
        )
        let check = try await transfer.check()
        #expect(check.same == 1)
        #expect(check.differing.map(\.difference) == [.checksum])
    }

    @Test("links whose targets are not known can't be compared, for another reason than files without checksums")
    func links() async throws {
        let memory = MemoryFileProvider()
        try await Tree.plant(["/a/file": "one"], in: source.base)
        try await Tree.plant(["/b/file": "one"], in: memory)
        try await source.base.create(symbolicLink: "/a/link", withDestination: "file")
        try await memory.create(symbolicLink: "/b/link", withDestination: "file")
        var options = TransferOptions()
        options.comparison = .checksum
        let transfer = try Transfer(
            from: TransferPlace(source, "/a"),
            to: TransferPlace(StorageWithout(.linkTargets, memory), "/b"),
            options: options
        )
        let check = try await transfer.check()
        #expect(check.uncompared.map(\.path) == ["/link"])
        #expect(check.lines == ["can't be compared: /link (where the links lead is not known)"])
    }

    @Test("what can't be read is told, and the rest is compared")
    func unreadable() async throws {
        try await plant()
        target.plan = FaultPlan([
            .init(.contentStream, path: "/b/same", fault: .error(CocoaError(.fileReadNoPermission))),
            .init(.directoryListing, path: "/b/e", fault: .error(CocoaError(.fileReadNoPermission))),
        ])
        let check = try await check { $0.readsContents = true }
        #expect(check.unreadable.map(\.path) == ["/e", "/same"])
        #expect(check.differing.map(\.path) == ["/content", "/size", "/type"])
    }
}
