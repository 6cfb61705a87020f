import FerryCore
import FerryLocal

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
