import FerryCore
import FerryLocal
import Synchronization

extension Storages {
    /// Makes the storage of this machine's files.
    ///
    /// - Returns: A storage whose paths are those of the machine.
    func localFiles() -> LocalFileProvider { LocalFileProvider(forNamesOnThisMachine: FileProviderEnvironment()) }
}

extension Location {
    /// The provider of this machine's files, without a wrapper; `nil` of a place elsewhere.
    var localFiles: LocalFileProvider? { storage.withoutRecording as? LocalFileProvider }

    /// The room where an item is: a machine has several file systems, so there the place itself is asked.
    ///
    /// - Parameter item: The item here.
    /// - Returns: The room; nothing is known of a place without a URL.
    /// - Throws: Errors of the storage.
    func volume(of item: FileObject) async throws -> VolumeObject {
        guard isLocal else { return try await storage.storageProperties() }
        let folder = item.isDirectory ? path : path.parent
        guard let url = storage.url(of: folder) else { return VolumeObject() }
        return try await LocalFileProvider(baseURL: url).storageProperties()
    }
}

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
