import FerryCore
import FerryHTTP
import FerryTestKit
import FerryTestServers
import Foundation
import HTTPTypes
import Testing

@testable import FerryWebDAV

extension NextcloudServer {
    /// Alice at this server.
    func provider(
        path: String = "",
        user: String = "alice",
        password: String = "secret",
        transport: any HTTPTransport = NIOTransport()
    ) async throws -> NextcloudFileProvider {
        let provider = try await NextcloudFileProvider.open(
            url.appending(path: path),
            credential: FileProviderCredential(user: user, secret: .password(password)),
            transport: transport
        )
        return try #require(provider as? NextcloudFileProvider)
    }

    /// The requests of a method.
    func count(_ method: String) -> Int {
        requests.filter { $0.method.rawValue == method }.count
    }
}

/// A stand-in and alice's files there, for as long as a test needs them.
func withAlice<Result>(
    _ change: (inout NextcloudSettings) -> Void = { _ in },
    perform body: (NextcloudFileProvider, NextcloudServer) async throws -> Result
) async throws -> Result {
    try await withNextcloud(change) { server in
        let provider = try await server.provider()
        do {
            let result = try await body(provider, server)
            await provider.invalidate()
            return result
        } catch {
            await provider.invalidate()
            throw error
        }
    }
}
