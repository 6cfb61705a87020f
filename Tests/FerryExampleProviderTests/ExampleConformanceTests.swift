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
        let provider = try provider(at: line.url(like: loopback.url), configuration)
        let situations: [ConformanceSituation: ConformanceSituationMaker] = [
            .badCredential: { _ in server.token.withLock { $0 = "another" } },
            .unreachable: { _ in await line.stopListening() },
            .cutWhileReading: { _ in line.fault = .cutAnswer(after: 300_000) },
            .cutWhileWriting: { _ in line.fault = .cutRequest(after: 300_000) },
            .silent: { _ in line.fault = .silence },
            .senseless: { _ in server.isSenseless.withLock { $0 = true } },
            .pageFails: { _ in server.failsPages.withLock { $0 = true } },
        ]
        return ConformanceStage(provider, fixtures: server.files, situations: situations) {
            await provider.invalidate()
            await line.stop()
            await loopback.stop()
        }
    }

    private static func provider(
        at url: URL,
        _ configuration: HTTPTransportConfiguration = HTTPTransportConfiguration()
    ) throws -> JSONFileProvider {
        try JSONFileProvider(
            api: url.appending(path: "v1/"),
            token: JSONFileServer.token,
            transport: NIOTransport(configuration),
            retryPolicy: RetryPolicy(maximumAttempts: 3, firstDelay: .milliseconds(1))
        )
    }
}
