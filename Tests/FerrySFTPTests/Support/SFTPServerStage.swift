import FerryCore
import FerryLocal
import FerryTestKit
import FerryTestServers
import Foundation
import Synchronization

@testable import FerrySFTP

/// A folder of its own on a real server, and a provider for it.
struct SFTPServerStage: Sendable {
    let server: SSHServer
    let place: SSHServerPlace
    let provider: SFTPFileProvider

    /// The lines that all tests share which spoil nothing: one login for each server.
    private static let sessions = Mutex<[Int: SFTPSession]>([:])

    /// Sets the stage, on a line that others use, too.
    init(_ server: SSHServer) async throws {
        self.server = server
        place = try server.makePlace()
        let configuration = try await server.clientConfiguration()
        let session = try Self.sessions.withLock { sessions in
            if let session = sessions[server.port] { return session }
            var options = SFTPOptions()
            options.configurationFile = configuration
            let session = try SFTPFileProvider(baseURL: server.url(), options: options).session
            sessions[server.port] = session
            return session
        }
        provider = try SFTPFileProvider(baseURL: place.url(), credential: nil, session: session)
    }

    func cleanUp() { place.remove() }
}

/// A place on a server's disk, written and looked at behind the server's back: what is made belongs to the server's user.
final class PlaceFiles<Base: FileProviderBasic>: FileProviderWrapper {
    let base: Base
    private let place: SSHServerPlace

    init(_ base: Base, place: SSHServerPlace) {
        self.base = base
        self.place = place
    }

    func pass<Result: Sendable>(
        _ call: FileProviderCall,
        _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        let result = try await body()
        guard call.method.changesStorage else { return result }
        place.own(String((call.target ?? call.path).string.dropFirst()))
        return result
    }
}

extension PlaceFiles: FileProviderOperations where Base: FileProviderOperations {}
extension PlaceFiles: FileProviderReadWrite where Base: FileProviderReadWrite {}

/// Does something in a folder of its own on the shared server.
func withSFTPStage<Result>(
    _ options: SSHServer.Options = SSHServer.Options(),
    perform body: (SFTPServerStage) async throws -> Result
) async throws -> Result {
    let stage = try await SFTPServerStage(try await SSHServer.shared(options))
    defer { stage.cleanUp() }
    return try await body(stage)
}
