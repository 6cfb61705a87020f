public import FerryCore
import Foundation

extension WebDAVProvider {
    /// The room on the storage, where the server tells the quota of the base folder (RFC 4331); most don't.
    ///
    /// A negative number, as Nextcloud gives it for "no limit" and "not known", is nothing known.
    ///
    /// - Returns: The known properties.
    /// - Throws: `CocoaError.fileNoSuchFile` when the base folder is missing; errors of the connection.
    public func storageProperties() async throws -> VolumeObject {
        let names = [WebDAVPropertyName("quota-available-bytes"), WebDAVPropertyName("quota-used-bytes")]
        let properties = try await properties(of: .root, names)
        return VolumeObject(
            availableCapacity: properties.quotaAvailable.flatMap { $0 >= 0 ? $0 : nil },
            usedCapacity: properties.quotaUsed.flatMap { $0 >= 0 ? $0 : nil },
            formatDescription: "WebDAV",
            url: baseURL
        )
    }
}
