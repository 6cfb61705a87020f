import FerryCore
import Foundation

// What several groups of rules ask the provider.

extension Trial {
    /// The eTag of a planted file, as the provider tells it.
    func eTag(of path: ItemPath) async throws -> String {
        let item = try await provider.attributesOfItem(path: self[path])
        return try require(item.eTag, "\(item.name) has no eTag, though writes can depend on it")
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
