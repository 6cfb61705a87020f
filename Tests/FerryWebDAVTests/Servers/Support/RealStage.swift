import FerryCore
import FerryHTTP
import FerryLocal
import FerryTestKit
import FerryTestServers
import FerryWebDAV
import Foundation

/// A folder of its own on a real server, a provider for it, and all that can go wrong in between.
struct RealStage: Sendable {
    let server: RealServer
    let place: RealServerPlace
    let proxy: FaultProxy
    /// By way of the proxy.
    let provider: WebDAVFileProvider
    /// Straight to the server.
    let fixtures: WebDAVFileProvider
    let recording: RecordingTransport

    /// Sets the stage, with a provider that trusts the server, and waits so long for one that says nothing.
    init(
        _ server: RealServer,
        _ endpoint: RealServerEndpoint,
        trusts: Bool = true,
        patience: Duration = .seconds(60)
    ) async throws {
        self.server = server
        place = try server.makePlace(endpoint)
        proxy = try await FaultProxy.start(to: endpoint.url.port ?? 0)
        let credential = FileProviderCredential(user: server.user, secret: .password(server.password))
        var configuration = HTTPTransportConfiguration()
        (configuration.idleTimeout, configuration.workPatience) = (patience, 1)
        configuration.connectTimeout = min(patience, configuration.connectTimeout)
        configuration.trust = .only([.pem(Data(server.certificateAuthority.utf8))])
        let trusting = configuration
        if !trusts { configuration.trust = .only([.pem(Data(try TestAuthority().certificatePEM.utf8))]) }
        recording = RecordingTransport(try NIOTransport(configuration))
        provider = try WebDAVFileProvider(
            baseURL: proxy.url(like: place.url),
            credential: credential,
            transport: recording
        )
        fixtures = try WebDAVFileProvider(
            baseURL: place.url,
            credential: credential,
            transport: NIOTransport(trusting)
        )
    }

    /// Takes everything away again.
    func cleanUp() async {
        await provider.invalidate()
        await fixtures.invalidate()
        await proxy.stop()
        place.remove()
    }
}

extension RealStage {
    /// Returns what one rule is tried on, while few others are on the same server.
    ///
    /// - Parameters:
    ///   - endpoint: Which server, and which way into it.
    ///   - check: The rule.
    ///   - wrap: Puts something around the provider.
    /// - Returns: The stage.
    /// - Throws: The error that keeps it from being set.
    static func conformance(
        _ endpoint: RealServerWay,
        for check: ConformanceCheck,
        wrapping wrap: (WebDAVFileProvider) -> any FileProviderBasic = { $0 }
    ) async throws -> ConformanceStage {
        let server = try await RealServer.shared(endpoint.kind)
        guard let way = server.endpoint(endpoint.login, isSecure: endpoint.isSecure) else {
            throw RealServerWay.Missing(way: endpoint)
        }
        let permits = [check.group == "locks" ? Permits.ofLocks[endpoint.kind] : nil, Permits.ofServer[endpoint.kind]]
            .compactMap(\.self)
        for permits in permits { await permits.acquire() }
        do {
            let stage = try await RealStage(
                server,
                way,
                trusts: check.id != "situations.untrusted",
                patience: check.id == "situations.silent" ? .seconds(5) : .seconds(60)
            )
            let disk = check.needsSmallDisk ? try await SmallDisk.mount(at: stage.place) : nil
            // One that waits only seconds may lose its patience on a busy machine.
            if check.id != "situations.untrusted" { try await insisting { try await stage.provider.discover() } }
            try await stage.fixtures.discover()
            let files = LocalFileProvider(baseURL: URL(filePath: stage.place.path, directoryHint: .isDirectory))
            let stranger = check.id == "situations.redirected" ? try await Stranger.start() : nil
            var tried = ConformanceStage(
                wrap(stage.provider),
                fixtures: PlaceFiles(files, place: stage.place),
                situations: stage.situations(disk, stranger)
            ) {
                await stranger?.stop()
                try await disk?.unmount()
                await stage.cleanUp()
                for permits in permits { await permits.release() }
            }
            tried.another = stage.fixtures
            tried.credentialsElsewhere = { stranger?.credentials ?? [] }
            return tried
        } catch {
            for permits in permits { await permits.release() }
            throw error
        }
    }

    private func situations(
        _ disk: SmallDisk?,
        _ stranger: Stranger?
    ) -> [ConformanceSituation: ConformanceSituationMaker] {
        var situations: [ConformanceSituation: ConformanceSituationMaker] = [
            .badCredential: { _ in recording.spoilPasswords() },
            .unreachable: { _ in await proxy.stopListening() },
            .cutWhileReading: { _ in proxy.fault = .cutAnswer(after: 200_000) },
            // The bytes of a stream that were sent can't be sent again; then the line is as before, and the half that
            // lies there can be taken away.
            .cutWhileWriting: { _ in proxy.fault = .cutRequest(after: 200_000, times: 1) },
            .silent: { _ in proxy.fault = .silence },
            .pageFails: { _ in proxy.fault = .cutAnswer(after: 20_000) },
            .baseGone: { _ in
                place.remove()
                // rclone remembers folders for a second.
                try await until("the server sees that the folder is gone") {
                    (try? await fixtures.attributesOfItem(path: "/")) == nil
                }
            },
        ]
        if place.endpoint.isSecure {
            // It never trusted the certificate: see `conformance`.
            situations[.untrusted] = { _ in }
        } else {
            situations[.senseless] = { _ in proxy.fault = .nonsense }
            if let stranger { situations[.redirected] = { _ in proxy.fault = stranger.redirect } }
        }
        if server.obeysPermissions {
            situations[.unreadable] = { path in chmod(place.path + path.string, 0) }
            situations[.unwritable] = { path in chmod(place.path + path.string, 0o555) }
        }
        if let disk { situations[.full] = { _ in try disk.fill() } }
        return situations
    }
}

extension ConformanceCheck {
    /// Indicates whether the rule is about a full storage.
    fileprivate var needsSmallDisk: Bool { id.rawValue.hasPrefix("situations.full") }
}
