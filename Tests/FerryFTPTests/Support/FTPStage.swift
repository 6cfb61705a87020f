import FerryCore
import FerryFTP
import FerryLocal
import FerryTestKit
import FerryTestServers
import Foundation

/// A folder of its own on a real server, a provider for it, and all that can go wrong in between.
struct FTPStage: Sendable {
    let server: FTPRealServer
    let place: FTPServerPlace
    /// Carries control and data connections.
    let proxy: FaultProxy
    /// By way of the proxy.
    let provider: FTPFileProvider
    /// Straight to the server.
    let another: FTPFileProvider

    /// The differences from the usual provider.
    struct Settings: Sendable {
        var trusts = true
        var password: String?
        var patience: Duration = .seconds(60)
        /// The size of the proxy's send buffer towards the provider, in bytes; `nil` for the system's choice.
        var sendBuffer: Int?
    }

    /// Sets the stage.
    init(
        _ way: FTPServerWay,
        _ settings: Settings = Settings(),
        changing change: (inout FTPOptions) -> Void = { _ in }
    ) async throws {
        server = try await FTPRealServer.shared(way)
        place = try server.makePlace()
        proxy = try await FaultProxy.startForwarding(sendBuffer: settings.sendBuffer)
        var options = FTPOptions()
        options.security = FTPSecurity(way.security)
        options.certificateFile = server.certificateAuthorityFile
        options.trustsSystem = false
        // Straight to the server.
        another = try FTPFileProvider(baseURL: place.url, credential: server.credential, options: options)
        if !settings.trusts { options.certificateFile = try Self.strangerFile(in: place) }
        options.timeout = settings.patience
        options.proxy = "socks5h://127.0.0.1:\(proxy.port)"
        change(&options)
        let password = settings.password ?? server.password
        provider = try FTPFileProvider(
            baseURL: place.url,
            credential: FileProviderCredential(user: server.user, secret: .password(password)),
            options: options
        )
    }

    /// Takes everything away again.
    func cleanUp() async {
        await provider.invalidate()
        await another.invalidate()
        await proxy.stop()
        place.remove()
        try? FileManager.default.removeItem(atPath: place.path + ".pem")
    }

    /// The options of a provider that goes straight to the server.
    var directOptions: FTPOptions {
        var options = FTPOptions()
        options.security = FTPSecurity(server.way.security)
        options.certificateFile = server.certificateAuthorityFile
        options.trustsSystem = false
        return options
    }

    /// The files on the server's disk, behind its back.
    var files: PlaceFiles<LocalFileProvider> {
        PlaceFiles(LocalFileProvider(baseURL: URL(filePath: place.path, directoryHint: .isDirectory)), place: place)
    }

    /// An authority that has signed nothing.
    private static func strangerFile(in place: FTPServerPlace) throws -> String {
        let file = place.path + ".pem"
        try Data(TestAuthority(name: "A stranger").certificatePEM.utf8).write(to: URL(filePath: file))
        return file
    }
}

extension FTPRealServer {
    /// The account there.
    var credential: FileProviderCredential { FileProviderCredential(user: user, secret: .password(password)) }
}

extension FTPSecurity {
    init(_ security: FTPServerSecurity) {
        self =
            switch security {
            case .plain: .none
            case .explicit: .explicit
            case .implicit: .implicit
            }
    }
}

/// Sets a stage for the time of a test.
func withStage<Result>(
    _ way: FTPServerWay,
    _ settings: FTPStage.Settings = FTPStage.Settings(),
    changing change: (inout FTPOptions) -> Void = { _ in },
    _ body: (FTPStage) async throws -> Result
) async throws -> Result {
    let stage = try await FTPStage(way, settings, changing: change)
    do {
        let result = try await body(stage)
        await stage.cleanUp()
        return result
    } catch {
        await stage.cleanUp()
        throw error
    }
}
