import FerryCore
import FerryHTTP
import FerryTestKit
import FerryTestServers
import Foundation
import Synchronization
import Testing

@Suite("The guide's provider behaves as every provider must")
struct ExampleConformanceTests {
    @Test("over a line that is cut, stalls and talks nonsense on demand", arguments: ConformanceScope.storage.checks())
    func conforms(to check: ConformanceCheck) async throws {
        try await check.run(on: Self.subject)
    }

    private static let subject = ConformanceSubject("json", stageFor: stage)

    /// A server of its own, an empty one; for bad days a line to it that can fail.
    private static func stage(for check: ConformanceCheck) async throws -> ConformanceStage {
        let server = JSONFileServer()
        let loopback = try await LoopbackServer.start(server.answer)
        guard check.group == "situations" else {
            let provider = try provider(at: loopback.url)
            return ConformanceStage(provider, fixtures: server.files) {
                await provider.invalidate()
                await loopback.stop()
            }
        }
        let line = try await FaultProxy.start(to: loopback.port)
        var configuration = HTTPTransportConfiguration()
        // Nobody waits for nothing, except where waiting is what is tried.
        if check.id == "situations.silent" {
            (configuration.idleTimeout, configuration.workPatience) = (.milliseconds(300), 1)
        }
        let isRedirected = check.id == "situations.redirected"
        let stranger = isRedirected ? try await Stranger.start(secrets: [JSONFileServer.token]) : nil
        let provider = try provider(at: line.url(like: loopback.url), configuration)
        var situations: [ConformanceSituation: ConformanceSituationMaker] = [
            .badCredential: { _ in server.token.withLock { $0 = "another" } },
            .unreachable: { _ in await line.stopListening() },
            .cutWhileReading: { _ in line.fault = .cutAnswer(after: 300_000) },
            .cutWhileWriting: { _ in line.fault = .cutRequest(after: 300_000) },
            .silent: { _ in line.fault = .silence },
            .senseless: { _ in server.isSenseless.withLock { $0 = true } },
            .pageFails: { _ in server.failsPages.withLock { $0 = true } },
        ]
        if let stranger { situations[.redirected] = { _ in line.fault = stranger.redirect } }
        var stage = ConformanceStage(provider, fixtures: server.files, situations: situations) {
            await provider.invalidate()
            await line.stop()
            await stranger?.stop()
            await loopback.stop()
        }
        if let stranger { stage.credentialsElsewhere = { stranger.credentials } }
        return stage
    }

    // MARK: Redirects

    @Test("a client that takes its credentials wherever it is sent breaks the rule about redirects")
    func careless() async throws {
        let stranger = try await Stranger.start(secrets: [JSONFileServer.token])
        let outcome = await outcome(stranger) { CarelessTransport(NIOTransport()) }
        let requestCount = stranger.requestCount
        await stranger.stop()
        #expect(requestCount > 0)
        let isFound = outcome.failures.contains { $0.message.contains("credentials that another origin has received") }
        #expect(isFound, "\(outcome)")
    }

    @Test("the rule about redirects is not kept by meeting none")
    func undisturbed() async throws {
        let outcome = await outcome(nil) { NIOTransport() }
        #expect(outcome.failures.map(\.message) == ["nothing was redirected"], "\(outcome)")
    }

    /// Tries the rule about redirects; without a stranger nothing is redirected.
    private func outcome(
        _ stranger: Stranger?,
        by transport: @escaping @Sendable () -> any HTTPTransport
    ) async -> ConformanceOutcome {
        let subject = ConformanceSubject("json") { _ in
            let server = JSONFileServer()
            let loopback = try await LoopbackServer.start(server.answer)
            let line = try await FaultProxy.start(to: loopback.port)
            let provider = try Self.provider(at: line.url(like: loopback.url), by: transport())
            let redirect: ConformanceSituationMaker = { _ in
                if let stranger { line.fault = stranger.redirect }
            }
            var stage = ConformanceStage(provider, fixtures: server.files, situations: [.redirected: redirect]) {
                await provider.invalidate()
                await line.stop()
                await loopback.stop()
            }
            stage.credentialsElsewhere = { stranger?.credentials ?? [] }
            return stage
        }
        guard let check = ConformanceCheck.all.first(where: { $0.id == "situations.redirected" }) else {
            return .notApplicable("there is no such rule")
        }
        return await check.verify(on: subject)
    }

    private static func provider(
        at url: URL,
        _ configuration: HTTPTransportConfiguration = HTTPTransportConfiguration()
    ) throws -> JSONFileProvider {
        try provider(at: url, by: NIOTransport(configuration))
    }

    private static func provider(at url: URL, by transport: any HTTPTransport) throws -> JSONFileProvider {
        try JSONFileProvider(
            api: url.appending(path: "v1/"),
            token: JSONFileServer.token,
            transport: transport,
            retryPolicy: RetryPolicy(maximumAttempts: 3, firstDelay: .milliseconds(1))
        )
    }
}
