import FerryCore
import Foundation
import Synchronization

extension NextcloudFileProvider {
    /// Removes, but not within the second in which an item of the same name was removed.
    ///
    /// The trash tells items apart by name and second: of two in one second, the first would be lost.
    ///
    /// - Parameters:
    ///   - path: The item to remove.
    ///   - remove: Removes it.
    /// - Throws: Any error that `remove` throws.
    func avoidingClash(of path: ItemPath, _ remove: () async throws -> Void) async throws {
        let name = path.lastName
        guard facts.hasTrash, !path.isRoot else { return try await remove() }
        while let last = trashed.withLock({ $0[name] }), last >= Self.second {
            try await clock.sleep(for: .milliseconds(100))
        }
        try await remove()
        // The server's second may begin later than ours; what is older than two is of no interest.
        let now = Self.second
        trashed.withLock { trashed in
            if trashed.count > 1_000 { trashed = trashed.filter { $0.value >= now - 2 } }
            trashed[name] = now
        }
    }

    private static var second: Int { Int(Date().timeIntervalSince1970) }
}
