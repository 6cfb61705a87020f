public import FerryCore

extension DropboxFileProvider {
    /// Returns how much space the account has, and how much of it is used.
    ///
    /// - Returns: The space of the team where its members share one.
    /// - Throws: Errors of the connection and the login.
    public func storageProperties() async throws -> VolumeObject {
        let usage = try await mappingRefusals {
            try await connection.call("users/get_space_usage", .null)
        }
        let allocation = usage["allocation"]
        let isTeam = allocation.tag == "team"
        return VolumeObject(
            totalCapacity: allocation["allocated"].integer,
            usedCapacity: isTeam ? allocation["used"].integer : usage["used"].integer,
            formatDescription: "Dropbox",
            url: baseURL
        )
    }
}
