import FerryCore
import FerryLocal
import Synchronization

extension Session {
    /// Opens a folder of this machine once, and the one that holds it: what is done below goes through what was opened,
    /// whatever somebody makes of the path meanwhile.
    ///
    /// - Parameter location: A folder, or a file; nothing need be there yet.
    /// - Throws: The error that keeps its path from being followed.
    func hold(_ location: Location) async throws {
        guard location.isLocal, let files = location.localFiles else { return }
        let path = try location.withoutLinksAbove().path
        for folder in [path.parent, path] where !folder.isRoot {
            try await files.hold(folder)
            recorder?.roots.withLock { _ = $0.insert(folder) }
        }
    }

    /// Opens a folder of this machine once, as it was when something was done below it.
    ///
    /// - Parameter root: The folder.
    /// - Throws: The error that keeps its path from being used.
    func hold(root: ItemPath) async throws {
        let files = try await storages.location("/").localFiles
        try await files?.hold(root)
    }
}
