import FerryCore
import Foundation

// Questions that several groups of rules ask the provider.

extension Trial {
    /// The eTag of a planted file, as the provider tells it: at the latest when the file is some seconds old, where an
    /// eTag is made of whole seconds.
    func eTag(of path: ItemPath) async throws -> String {
        var eTag: String?
        let deadline = ContinuousClock.now + min(timeout, .seconds(10))
        while true {
            // The last look comes after the deadline, however long the one before took.
            let isLast = ContinuousClock.now >= deadline
            eTag = try await provider.attributesOfItem(path: self[path]).eTag
            guard eTag == nil, !isLast else { break }
            try await Task.sleep(for: .milliseconds(100))
        }
        return try require(eTag, "\(path.lastName) has no eTag, though writes can depend on it")
    }

    /// All results of a search below a folder of the trial's.
    func search(_ path: ItemPath, recursive: Bool, _ query: FileQuery) async throws -> [FileObject] {
        try await provider.searchFiles(
            path: self[path],
            recursive: recursive,
            query: query,
            foundItemHandler: nil
        )
    }
}
