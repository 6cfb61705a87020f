import FerryCloudLab
import FerryCore
import FerryHTTP
import FerryTestKit
import FerryTestServers
import Foundation
import Testing

@testable import FerryDropbox

/// An account of its own for each rule, on an emulated Dropbox.
enum DropboxStage {
    static let subject = ConformanceSubject(
        "dropbox",
        deviations: deviations,
        stageFor: stage
    )

    static let deviations: [ConformanceCheck.ID: String] = {
        let forGood = "only apps of teams may remove for good (files/permanently_delete)"
        return ["trash.empty": forGood, "trash.listing": forGood, "trash.remove-some": forGood]
    }()

    /// Makes a stage; for bad days a line to the lab that can fail.
    static func stage(for check: ConformanceCheck) async throws -> ConformanceStage {
        var options = CloudLab.Options()
        options.clock = .running()
        options.descriptions = CloudDescriptions.folder()
        options.mutant = .requested(in: ProcessInfo.processInfo.environment)
        let lab = try await CloudLab.start(options)
        let token = lab.dropbox.makeAccessToken()
        if check.id == "situations.untrusted" { return try await untrustedStage(lab, token: token) }
        guard check.group == "situations" else {
            let provider = try provider(of: lab, token: token)
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
            transport: NIOTransport(configuration),
            retryPolicy: RetryPolicy(maximumAttempts: 3, firstDelay: .milliseconds(1))
        )
        let fixtures = try Self.provider(of: lab, token: token)
        let isRedirected = check.id == "situations.redirected"
        let stranger = isRedirected ? try await Stranger.start(secrets: [token]) : nil
        var stage = ConformanceStage(
            provider,
            fixtures: fixtures,
            situations: situations(lab, line, stranger),
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

    /// Records an issue if exchanges aren't as Dropbox's specification says; none where that isn't at hand.
    private static func reportFindings(of lab: CloudLab) {
        let findings = lab.findings.filter { !$0.isErratum }
        guard !findings.isEmpty else { return }
        let first = findings.prefix(5).map(\.description).joined(separator: "\n")
        Issue.record("\(findings.count) differences from the published description:\n\(first)")
    }

    /// Makes a stage whose server shows a certificate that nobody trusts.
    private static func untrustedStage(_ lab: CloudLab, token: String) async throws -> ConformanceStage {
        let tls = LoopbackTLS(try TestAuthority().issue())
        let server = try await LoopbackServer.start(tls: tls) { _ in LoopbackAnswer(.ok) }
        let address = server.url.absoluteString
        let provider = try DropboxFileProvider(
            token: token,
            options: try DropboxOptions(["api-url": address, "content-url": address, "notify-url": address])
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

    /// Makes a provider of the lab's account.
    static func provider(
        of lab: CloudLab,
        token: String,
        by line: FaultProxy? = nil,
        transport: any HTTPTransport = NIOTransport(),
        retryPolicy: RetryPolicy = RetryPolicy(),
        uploads: any UploadSessionStore = MemoryUploadSessionStore()
    ) throws -> DropboxFileProvider {
        try DropboxFileProvider(
            options: options(of: lab, by: line),
            credential: FileProviderCredential(user: nil, secret: .token(token)),
            authenticator: BearerAuthenticator(token: token),
            transport: transport,
            environment: FileProviderEnvironment(),
            uploads: uploads,
            retryPolicy: retryPolicy
        )
    }

    /// Returns the options that lead to a lab.
    static func options(of lab: CloudLab, by line: FaultProxy? = nil) throws -> DropboxOptions {
        func address(_ url: URL) -> String { (line?.url(like: url) ?? url).absoluteString }
        return try DropboxOptions([
            "api-url": address(lab.dropbox.apiURL), "content-url": address(lab.dropbox.contentURL),
            "notify-url": address(lab.dropbox.notifyURL), "token-url": lab.dropbox.tokenURL.absoluteString,
            "authorization-url": lab.dropbox.authorizationURL.absoluteString, "client-id": "app",
        ])
    }

    /// Returns how the lab and a line to it bring about bad days.
    static func situations(
        _ lab: CloudLab,
        _ line: FaultProxy,
        _ stranger: Stranger?
    ) -> [ConformanceSituation: ConformanceSituationMaker] {
        var situations: [ConformanceSituation: ConformanceSituationMaker] = [
            .full: { _ in lab.dropbox.account.storage.quota = lab.dropbox.account.storage.used + 1_000 },
            .badCredential: { _ in lab.dropbox.revokeTokens(of: lab.dropbox.account) },
            .unreachable: { _ in await line.stopListening() },
            .cutWhileReading: { _ in line.fault = .cutAnswer(after: 200_000) },
            .cutWhileWriting: { _ in line.fault = .cutRequest(after: 200_000) },
            .silent: { _ in line.fault = .silence },
            .senseless: { _ in line.fault = .nonsense },
            .pageFails: { _ in line.fault = .cutAnswer(after: 5_000) },
        ]
        if let stranger { situations[.redirected] = { _ in line.fault = stranger.redirect } }
        return situations
    }
}
