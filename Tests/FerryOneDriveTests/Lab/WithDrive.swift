import FerryCloudLab
import FerryCore
import FerryHTTP
import Foundation

@testable import FerryOneDrive

/// Runs a test with a provider of a fresh drive on the lab.
///
/// - Parameters:
///   - configure: Changes the lab before it starts.
///   - options: Options of the provider beside the lab's addresses.
///   - clock: The clock that the provider waits on.
///   - body: The test.
/// - Throws: The error of the test, or one of the system if the lab can't be had.
func withDrive(
    _ configure: (inout CloudLab.Options) -> Void = { _ in },
    options: [String: String] = [:],
    clock: any Clock<Duration> = ContinuousClock(),
    perform body: (OneDriveFileProvider, CloudLab) async throws -> Void
) async throws {
    var labOptions = CloudLab.Options()
    labOptions.clock = .running()
    configure(&labOptions)
    try await withCloudLab(labOptions) { lab in
        let provider = try lab.oneDrive(options: options, clock: clock)
        do {
            try await body(provider, lab)
            await provider.invalidate()
        } catch {
            await provider.invalidate()
            throw error
        }
    }
}

extension CloudLab {
    /// Makes a provider of a drive on the lab.
    ///
    /// - Parameters:
    ///   - account: The account; `nil` for the first one.
    ///   - options: Options beside the lab's addresses.
    ///   - clock: The clock that the provider waits on.
    /// - Returns: The provider.
    /// - Throws: `URLError.unsupportedURL`; `CocoaError.coderInvalidValue` for options that make no sense.
    func oneDrive(
        of account: GraphAccount? = nil,
        options: [String: String] = [:],
        clock: any Clock<Duration> = ContinuousClock()
    ) throws -> OneDriveFileProvider {
        let token = account.map { graph.makeAccessToken(for: $0) } ?? graph.makeAccessToken()
        let addresses = [
            "graph-url": graph.graphURL.absoluteString, "token-url": graph.tokenURL.absoluteString,
            "authorization-url": graph.authorizationURL.absoluteString,
            "device-url": graph.deviceCodeURL.absoluteString, "client-id": "app",
        ]
        return try OneDriveFileProvider(
            options: try OneDriveOptions(addresses.merging(options) { $1 }),
            credential: FileProviderCredential(user: nil, secret: .token(token)),
            authenticator: BearerAuthenticator(token: token),
            transport: NIOTransport(),
            environment: FileProviderEnvironment(),
            clock: clock
        )
    }
}

extension OneDriveFileProvider {
    /// Lists all of the drive, so that the places of all items are known.
    func listAll() async throws {
        for try await _ in crawl(path: .root, recursive: true, query: .all).pages {}
    }

    /// Collects what a search finds.
    func found(_ format: String, in path: ItemPath = .root) async throws -> Set<ItemPath> {
        var paths: Set<ItemPath> = []
        for try await item in searchFiles(path: path, recursive: true, query: try FileQuery(format: format)) {
            paths.insert(item.path)
        }
        return paths
    }
}
