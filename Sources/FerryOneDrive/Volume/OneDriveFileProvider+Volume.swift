public import FerryCore
import Synchronization

extension OneDriveFileProvider {
    /// Returns how much space the drive has, and how much of it is used.
    ///
    /// See <https://learn.microsoft.com/graph/api/resources/quota>.
    ///
    /// - Returns: The space; a library of an organization may say nothing about it.
    /// - Throws: Errors of the connection and the login.
    public func storageProperties() async throws -> VolumeObject {
        let answer = try await mappingRefusals {
            try await connection.call(.get, try await top().drive, about: .root)
        }
        drive.withLock { drive in
            drive.id = answer["id"].string ?? drive.id
            drive.type = answer["driveType"].string.map { OneDriveDriveType($0) } ?? drive.type
        }
        let quota = answer["quota"]
        // A drive without a limit of its own has a total of 0.
        let total = quota["total"].integer.flatMap { $0 > 0 ? $0 : nil }
        return VolumeObject(
            name: answer["name"].string,
            uuid: answer["id"].string,
            totalCapacity: total,
            availableCapacity: total == nil ? nil : quota["remaining"].integer.map { max(0, $0) },
            usedCapacity: quota["used"].integer.map { max(0, min($0, total ?? $0)) },
            formatDescription: drive.withLock { $0.type } == .personal ? "OneDrive" : "SharePoint",
            url: baseURL
        )
    }
}
