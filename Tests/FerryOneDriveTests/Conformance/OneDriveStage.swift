import FerryCloudLab
import FerryCore
import FerryHTTP
import FerryTestKit
import FerryTestServers
import Foundation
import Testing

@testable import FerryOneDrive

/// A drive of its own for each rule, on an emulated Microsoft Graph.
enum OneDriveStage {
    /// A personal drive.
    static let subject = ConformanceSubject("onedrive", deviations: deviations) { try await stage(for: $0) }

    /// The document library of a SharePoint site.
    static let library = ConformanceSubject("sharepoint", deviations: libraryDeviations) {
        try await stage(for: $0, inLibrary: true)
    }

    static let deviations: [ConformanceCheck.ID: String] = {
        let unlisted = "version 1.0 of the API lists no recycle bin"
        return [
            "trash.empty": unlisted, "trash.listing": unlisted, "trash.remove-some": unlisted,
            "trash.round-trip": unlisted, "trash.same-name": unlisted,
        ]
    }()

    private static let libraryDeviations: [ConformanceCheck.ID: String] = {
        let unrestored = "version 1.0 of the API takes nothing out of the recycle bin of an organization"
        var all = deviations
        let rules: [ConformanceCheck.ID] = [
            "trash.folder", "trash.folder-gone", "trash.restore-elsewhere", "trash.restore-onto", "trash.twice",
        ]
        for rule in rules { all[rule] = unrestored }
        return all
    }()

    /// Makes a stage; for bad days a line to the lab that can fail.
    ///
    /// - Parameters:
    ///   - check: The rule.
    ///   - inLibrary: `true` for the library of a site, `false` for a personal drive.
    /// - Returns: The stage.
    /// - Throws: Errors of the system.
    static func stage(for check: ConformanceCheck, inLibrary: Bool = false) async throws -> ConformanceStage {
        var settings = CloudLab.Options()
        settings.clock = .running()
        settings.descriptions = CloudDescriptions.folder()
        settings.mutant = .requested(in: ProcessInfo.processInfo.environment)
        let lab = try await CloudLab.start(settings)
        let token = lab.graph.makeAccessToken()
        let site = inLibrary ? lab.graph.makeSite(name: "Team", path: "sites/team") : nil
        let options = site.map { ["site": "https://\($0.hostName)/\($0.path)"] } ?? [:]
        let storage = site?.storage ?? lab.graph.account.storage
        if check.id == "situations.untrusted" { return try await untrustedStage(lab, token: token) }
        guard check.group == "situations" else {
            let provider = try provider(of: lab, token: token, options: options)
            return ConformanceStage(provider, ownsTrash: true) {
                await provider.invalidate()
                reportFindings(of: lab)
                await lab.stop()
            }
        }
        let line = try await FaultProxy.start(to: lab.port)
        var configuration = HTTPTransportConfiguration()
        // Nobody waits for nothing, except where waiting is what is tried.
        if check.id == "situations.silent" {
            (configuration.idleTimeout, configuration.workPatience) = (.milliseconds(300), 1)
        }
        let provider = try Self.provider(
            of: lab,
            token: token,
            by: line,
            options: options,
            transport: NIOTransport(configuration),
            retryPolicy: RetryPolicy(maximumAttempts: 3, firstDelay: .milliseconds(1))
        )
        let fixtures = try Self.provider(of: lab, token: token, options: options)
        let isRedirected = check.id == "situations.redirected"
        let stranger = isRedirected ? try await Stranger.start(secrets: [token]) : nil
        var stage = ConformanceStage(
            provider,
            fixtures: fixtures,
            situations: situations(lab, storage, line, stranger),
            ownsTrash: true
        ) {
            await provider.invalidate()
            await fixtures.invalidate()
            await line.stop()
            await stranger?.stop()
            reportFindings(of: lab)
            await lab.stop()
        }
        if let stranger { stage.credentialsElsewhere = { stranger.credentials } }
        return stage
    }

    /// Records an issue for each exchange that isn't as Microsoft's description says; none where that isn't at hand.
    private static func reportFindings(of lab: CloudLab) {
        for finding in lab.findings where !finding.isErratum { Issue.record("\(finding)") }
    }

    /// Makes a stage whose server shows a certificate that nobody trusts.
    private static func untrustedStage(_ lab: CloudLab, token: String) async throws -> ConformanceStage {
        let tls = LoopbackTLS(try TestAuthority().issue())
        let server = try await LoopbackServer.start(tls: tls) { _ in LoopbackAnswer(.ok) }
        let provider = try OneDriveFileProvider(
            token: token,
            options: try OneDriveOptions(["graph-url": server.url.absoluteString])
        )
        let fixtures = try Self.provider(of: lab, token: token)
        // It never trusted the certificate.
        return ConformanceStage(provider, fixtures: fixtures, situations: [.untrusted: { _ in }], ownsTrash: true) {
            await provider.invalidate()
            await fixtures.invalidate()
            await server.stop()
            await lab.stop()
        }
    }

    /// Makes a provider of the lab's first drive.
    static func provider(
        of lab: CloudLab,
        token: String,
        by line: FaultProxy? = nil,
        options: [String: String] = [:],
        transport: any HTTPTransport = NIOTransport(),
        retryPolicy: RetryPolicy = RetryPolicy(),
        uploads: any UploadSessionStore = MemoryUploadSessionStore()
    ) throws -> OneDriveFileProvider {
        let graph = lab.graph.graphURL
        let addresses = ["graph-url": (line?.url(like: graph) ?? graph).absoluteString, "client-id": "app"]
        return try OneDriveFileProvider(
            options: try OneDriveOptions(addresses.merging(options) { $1 }),
            credential: FileProviderCredential(user: nil, secret: .token(token)),
            authenticator: BearerAuthenticator(token: token),
            transport: transport,
            environment: FileProviderEnvironment(),
            uploads: uploads,
            retryPolicy: retryPolicy
        )
    }

    /// Returns how the lab and a line to it bring about bad days.
    ///
    /// Contents come from another origin than the API's, which the line does not lead to: there the lab itself fails.
    static func situations(
        _ lab: CloudLab,
        _ storage: CloudStorage,
        _ line: FaultProxy,
        _ stranger: Stranger?
    ) -> [ConformanceSituation: ConformanceSituationMaker] {
        var situations: [ConformanceSituation: ConformanceSituationMaker] = [
            .full: { _ in storage.quota = storage.used + 1_000 },
            .badCredential: { _ in lab.graph.revokeTokens(of: lab.graph.account) },
            .unreachable: { _ in await line.stopListening() },
            .cutWhileReading: { _ in lab.faults.add(.truncateBody(afterBytes: 0), route: "download", count: 100) },
            .cutWhileWriting: { _ in
                lab.faults.add(.cutRequest(afterBytes: 200_000), route: "upload", count: 100)
                lab.faults.add(.cutRequest(afterBytes: 200_000), route: "fragment", count: 100)
            },
            .silent: { _ in line.fault = .silence },
            .senseless: { _ in line.fault = .nonsense },
            .pageFails: { _ in line.fault = .cutAnswer(after: 5_000) },
        ]
        if let stranger { situations[.redirected] = { _ in line.fault = stranger.redirect } }
        return situations
    }
}
