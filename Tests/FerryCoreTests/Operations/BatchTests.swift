import FerryCore
import FerryMemory
import FerryTestKit
import Foundation
import Synchronization
import Testing

@Suite("Operations on several items")
struct BatchTests {
    private static let moment = Date(timeIntervalSince1970: 1_500_000_000)

    private static func memory(_ names: String...) async throws -> MemoryFileProvider {
        let memory = MemoryFileProvider()
        for name in names { try await memory.writeContents(path: .root.appending(name), contents: Data()) }
        return memory
    }

    private static func change(_ path: ItemPath) -> ItemAttributesChange {
        ItemAttributesChange(path: path, attributes: ItemAttributes(modifiedDate: moment))
    }

    // MARK: The order

    @Test(
        "are done in as few rounds as related items need, whatever else is in the list",
        arguments: [
            (["/a", "/b", "/c"], [[0, 1, 2]]), (["/a", "/a/b", "/c", "/a/d"], [[0, 2], [1, 3]]),
            (["/a/b", "/a", "/c/d", "/c", "/a/e"], [[0, 2], [1, 3], [4]]), (["/a", "/A", "/ab"], [[0, 2], [1]]),
            (["/a", "/", "/b"], [[0], [1], [2]]), (["id:1", "id:2", "id:1", "id:1/a", "/a"], [[0, 1, 4], [2], [3]]),
            ([], []),
        ] as [([ItemPath], [[Int]])]
    )
    func rounds(paths: [ItemPath], expected: [[Int]]) {
        #expect(BatchRounds.indices(of: paths.map { [$0] }) == expected)
    }

    @Test("by identifiers wait for all others, and all others for them, where something may be replaced")
    func identifiers() {
        let items: [[ItemPath]] = [["/a", "/b"], ["id:1", "/c"], ["/d", "/e"], ["/f", "/g"]]
        #expect(BatchRounds.indices(of: items, ordersIdentifiers: true) == [[0], [1], [2, 3]])
    }

    @Test("whose paths touch by their targets are related")
    func targets() {
        let items: [[ItemPath]] = [["/b", "/c"], ["/a", "/b"], ["/x", "/new"], ["/y", "/new/y"], ["/z", "/q"]]
        #expect(BatchRounds.indices(of: items) == [[0, 2, 4], [1, 3]])
    }

    // MARK: One by one

    @Test("are the same calls on a storage that has no such ability")
    func withoutAbility() async throws {
        let memory = try await Self.memory("a", "b", "c")
        let plain: any FileProviderOperations = Plain(base: memory)
        #expect(!(plain is any FileProviderBatchOperations))
        let removed = try await plain.removeItems(["/a", "/gone"])
        #expect(removed.map { (try? $0.get()) != nil } == [true, false])
        let moved = try await plain.moveItems([ItemMove(path: "/b", to: "/d")])
        #expect(moved.count == 1)
        #expect(try await memory.contentsOfDirectory(path: .root).map(\.name).sorted() == ["c", "d"])
        let error = await #expect(throws: CocoaError.self) { try await plain.setAttributes([Self.change("/c")]) }
        #expect(error?.code == .featureUnsupported)
    }

    @Test("end with the first that meets no storage, and what was done before is not hidden")
    func unreachable() async throws {
        let memory = try await Self.memory("a", "b", "c")
        let faulty = FaultInjectingFileProvider(memory)
        let plain = Plain(base: faulty)
        let cut = FaultPlan.Fault.error(URLError(.cannotConnectToHost))
        faulty.plan = FaultPlan([.init(.removeItem, on: .after(1), fault: cut)])
        let results = try await plain.removeItems(["/a", "/b", "/c"])
        #expect(results.map { (try? $0.get()) != nil } == [true, false, false])
        #expect(faulty.count(of: .removeItem) == 2)
        await #expect(throws: URLError(.cannotConnectToHost)) { try await plain.removeItems(["/b", "/c"]) }
        #expect(faulty.count(of: .removeItem) == 3)
    }

    // MARK: Wrappers

    @Test("are repeated for those items only that a bad line has broken")
    func retrying() async throws {
        let shaky = Shaky(base: try await Self.memory("a", "b", "c"), broken: ["/a", "/c"])
        let policy = RetryPolicy(firstDelay: .zero)
        let results = try await RetryingFileProvider(shaky, policy: policy).setAttributes(
            [Self.change("/a"), Self.change("/gone"), Self.change("/b"), Self.change("/c")]
        )
        #expect(results.map { (try? $0.get()) != nil } == [true, false, true, true])
        #expect(shaky.asked.all == [["/a", "/gone", "/b", "/c"], ["/a", "/c"]])
        #expect(try await shaky.base.attributesOfItem(path: "/c").modifiedDate == Self.moment)
    }

    @Test("that change nothing twice the same are not repeated")
    func notRepeated() async throws {
        let faulty = FaultInjectingFileProvider(try await Self.memory("a"))
        faulty.plan = FaultPlan([.init(.removeItems, fault: .error(URLError(.networkConnectionLost)))])
        let retrying = RetryingFileProvider(faulty, policy: RetryPolicy(firstDelay: .zero))
        await #expect(throws: URLError(.networkConnectionLost)) { try await retrying.removeItems(["/a"]) }
        #expect(faulty.count(of: .removeItems) == 1)
    }
}

/// A provider that can do one thing at a time only.
private struct Plain<Base: FileProviderOperations>: FileProviderWrapper {
    let base: Base
}

extension Plain: FileProviderOperations {}

/// A provider whose line breaks for some items, once.
private struct Shaky: FileProviderWrapper {
    let base: MemoryFileProvider
    let broken: Set<ItemPath>
    let asked = Lists()

    /// The lists of items that were asked for.
    final class Lists: Sendable {
        private let lists = Mutex<[[ItemPath]]>([])
        var all: [[ItemPath]] { lists.withLock { $0 } }
        func append(_ list: [ItemPath]) { lists.withLock { $0.append(list) } }
    }
}

extension Shaky: FileProviderOperations, FileProviderItemAttributes, FileProviderBatchOperations {
    func setAttributes(_ changes: [ItemAttributesChange]) async throws -> [Result<Void, any Error>] {
        asked.append(changes.map(\.path))
        let isFirst = asked.all.count == 1
        return try await oneByOne(changes) { change in
            if isFirst, broken.contains(change.path) { throw URLError(.networkConnectionLost) }
            try await base.setAttributes(change.attributes, path: change.path)
        }
    }
}
