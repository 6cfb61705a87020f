public import FerryCore
import Foundation

extension FTPFileProvider {
    /// The host's name, and the free space where the server has `AVBL`.
    ///
    /// - Returns: The known properties.
    /// - Throws: Errors of the connection.
    public func storageProperties() async throws -> VolumeObject {
        let available: Int64? = try await call(.root) { session in
            guard session.server.known.has("AVBL") else { return nil }
            let reply = try session.command("AVBL", try session.server.path(of: .root))
            return reply.isSuccess ? Int64(reply.lastText) : nil
        }
        return VolumeObject(
            name: server.address.host,
            availableCapacity: available,
            formatDescription: server.address.security == .none ? "FTP" : "FTPS",
            url: baseURL
        )
    }
}
