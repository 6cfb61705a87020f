public import FerryCore

extension WebDAVProvider {
    /// The room on the storage.
    ///
    /// - Returns: What is known.
    public func storageProperties() async throws -> VolumeObject {
        VolumeObject()
    }
}
