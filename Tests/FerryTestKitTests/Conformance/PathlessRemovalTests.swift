import FerryCore
import FerryMemory
import FerryTestKit
import Testing

@Suite("A storage that reports removals by identifiers alone")
struct PathlessRemovalTests {
    @Test("keeps the rules about changes", arguments: ConformanceCheck.all.filter { $0.group == "tracking" })
    func conforms(to check: ConformanceCheck) async throws {
        try await check.run(on: ConformanceSubject("memory") { PathlessRemovals(base: MemoryFileProvider()) })
    }
}

/// A provider that reports the identifiers of removed items, and not their paths.
private struct PathlessRemovals<Base: FileProviderBasic>: FileProviderWrapper {
    let base: Base
}

extension PathlessRemovals: FileProviderOperations where Base: FileProviderOperations {}
extension PathlessRemovals: FileProviderReadWrite where Base: FileProviderReadWrite {}
extension PathlessRemovals: FileProviderChangeTracking where Base: FileProviderChangeTracking {
    func changes(since anchor: ChangeAnchor) async throws -> ChangeSet {
        let set = try await base.changes(since: anchor)
        let changes = set.changes.map { change -> TrackedChange in
            guard case .removed(_, let id?) = change else { return change }
            return .removedItem(id: id)
        }
        return ChangeSet(changes: changes, anchor: set.anchor, hasMore: set.hasMore)
    }
}
