import FerryCore
import FerryHTTP
import FerryTestKit
import FerryTestServers
import Foundation
import Testing

@testable import FerryWebDAV

@Suite("Files on Nextcloud behave as every provider must")
struct NextcloudConformanceTests {
    @Test("at a stand-in for the server", arguments: ConformanceScope.storage.checks())
    func conforms(to check: ConformanceCheck) async throws {
        try await check.run(on: Self.subject)
    }

    private static let subject = ConformanceSubject(
        "nextcloud",
        deviations: deviations,
        occasional: ["monitoring.order"],
        stageFor: stage
    )

    @Test("every bad day is tried but one: the server knows no storage that is read-only as a whole")
    func situations() async throws {
        let server = try await NextcloudServer.start()
        let line = try await FaultProxy.start(to: server.url.port ?? 0)
        let stranger = try await Stranger.start()
        let tried = Set(Self.situations(server, line, stranger).keys).union([.untrusted])
        #expect(Set(ConformanceSituation.allCases).subtracting(tried) == [.readOnly])
        await stranger.stop()
        await line.stop()
        await server.stop()
    }

    static let deviations: [ConformanceCheck.ID: String] = {
        let blank = "Nextcloud refuses names of white space only"
        return [
            "monitoring.order": "what is made and removed between two questions is never seen",
            "names.file-only-a-space": blank, "names.folder-only-a-space": blank,
        ]
    }()

    /// A server of its own, an empty one; for bad days a line to it that can fail.
    private static func stage(for check: ConformanceCheck) async throws -> ConformanceStage {
        let isUntrusted = check.id == "situations.untrusted"
        let authority = isUntrusted ? try TestAuthority() : nil
        let tls = try authority.map { LoopbackTLS(try $0.issue()) }
        let server = try await NextcloudServer.start(tls: tls)
        guard check.group == "situations" else {
            let provider = try await server.provider()
            return ConformanceStage(provider, ownsTrash: true) {
                await provider.invalidate()
                await server.stop()
            }
        }
        let line = try await FaultProxy.start(to: server.url.port ?? 0)
        var configuration = HTTPTransportConfiguration()
        // Nobody waits for nothing, except where waiting is what is tried.
        if check.id == "situations.silent" {
            (configuration.idleTimeout, configuration.workPatience) = (.milliseconds(300), 1)
        }
        let facts = isUntrusted ? NextcloudServerFacts() : try await facts(server)
        let store = MemoryUploadSessionStore()
        let provider = try NextcloudLine.provider(line.url(like: server.url), facts, store, configuration)
        var trusting = HTTPTransportConfiguration()
        if let authority { trusting.trust = .only([.pem(Data(authority.certificatePEM.utf8))]) }
        let fixtures = try NextcloudLine.provider(server.url, facts, store, trusting)
        let stranger = check.id == "situations.redirected" ? try await Stranger.start() : nil
        var situations = situations(server, line, stranger)
        // It never trusted the certificate.
        if isUntrusted { situations = [.untrusted: { _ in }] }
        var stage = ConformanceStage(provider, fixtures: fixtures, situations: situations, ownsTrash: true) {
            await provider.invalidate()
            await fixtures.invalidate()
            await line.stop()
            await stranger?.stop()
            await server.stop()
        }
        if let stranger { stage.credentialsElsewhere = { stranger.credentials } }
        return stage
    }

    private static func facts(_ server: NextcloudServer) async throws -> NextcloudServerFacts {
        let provider = try await server.provider()
        await provider.invalidate()
        return provider.facts
    }

    private static func situations(
        _ server: NextcloudServer,
        _ line: FaultProxy,
        _ stranger: Stranger?
    ) -> [ConformanceSituation: ConformanceSituationMaker] {
        var situations: [ConformanceSituation: ConformanceSituationMaker] = [
            .full: { _ in server.setQuota(1_000) },
            .unreadable: { server.restrict($0.string, .unreadable) },
            .unwritable: { server.restrict($0.string, .readOnly) },
            .badCredential: { _ in server.changePassword() },
            .unreachable: { _ in await line.stopListening() },
            .cutWhileReading: { _ in line.fault = .cutAnswer(after: 200_000) },
            .cutWhileWriting: { _ in line.fault = .cutRequest(after: 200_000) },
            .silent: { _ in line.fault = .silence },
            .senseless: { _ in line.fault = .nonsense },
            .pageFails: { _ in line.fault = .cutAnswer(after: 5_000) },
            .baseGone: { _ in server.configure { $0.hasLostFiles = true } },
        ]
        if let stranger { situations[.redirected] = { _ in line.fault = stranger.redirect } }
        return situations
    }
}
