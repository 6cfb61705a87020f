public import FerryCore

extension NextcloudFileProvider {
    /// The user's quota, and what the server is.
    ///
    /// - Returns: The known properties; without a quota there is no capacity.
    /// - Throws: Errors of the connection.
    public func storageProperties() async throws -> VolumeObject {
        let user = try await user()
        let name =
            switch facts.product {
            case .nextcloud: "Nextcloud"
            case .ownCloud: "ownCloud"
            case .infiniteScale: "ownCloud Infinite Scale"
            }
        return VolumeObject(
            totalCapacity: user.totalBytes,
            availableCapacity: user.freeBytes,
            usedCapacity: user.usedBytes,
            formatDescription: facts.version.map { "\(name) \($0)" } ?? name,
            url: baseURL
        )
    }
}
