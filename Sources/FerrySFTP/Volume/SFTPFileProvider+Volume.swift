public import FerryCore
import Foundation

extension SFTPFileProvider {
    /// The room on the file system that the base folder is on, where the server tells it.
    ///
    /// - Returns: The known properties.
    /// - Throws: Errors of the connection; `CocoaError.fileNoSuchFile` if the base folder is gone.
    public func storageProperties() async throws -> VolumeObject {
        let line = try await line()
        var volume = VolumeObject(name: baseURL?.host(), formatDescription: "SFTP", url: baseURL)
        guard line.facts.has(.statvfs) else { return volume }
        do {
            var answer = try await line.connection.begin(.statvfs(line.base)).extended()
            let room = try SFTPFileSystem(from: &answer)
            // As `df` has it: what is kept for the system counts as neither.
            volume.totalCapacity = room.totalBytes
            volume.availableCapacity = min(room.availableBytes, room.totalBytes)
            volume.usedCapacity = max(0, room.totalBytes - room.freeBytes)
            volume.isReadOnly = room.isReadOnly
            return volume
        } catch {
            throw await line.readError(error, .root)
        }
    }
}
