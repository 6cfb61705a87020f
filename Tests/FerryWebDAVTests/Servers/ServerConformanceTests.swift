import FerryTestKit
import FerryTestServers
import Synchronization
import Testing

/// Every rule on Apache; on the other servers what servers differ in, and on further ways into each of them what logins
/// and TLS can spoil.
@Suite("WebDAV providers behave as every provider must, on real servers")
struct ServerConformanceTests {
    @Test("Apache", arguments: trials(.apache, .all, further: [(.digest, true)]))
    func apache(_ trial: ServerTrial) async throws { try await run(trial) }

    @Test("nginx", arguments: trials(.nginx, further: [(.basic, true)]))
    func nginx(_ trial: ServerTrial) async throws { try await run(trial) }

    @Test("lighttpd", arguments: trials(.lighttpd, further: [(.digest, false), (.basic, true)]))
    func lighttpd(_ trial: ServerTrial) async throws { try await run(trial) }

    @Test("WsgiDAV", arguments: trials(.wsgidav, further: [(.digest, true)]))
    func wsgidav(_ trial: ServerTrial) async throws { try await run(trial) }

    @Test("rclone", arguments: trials(.rclone, further: [(.basic, true)]))
    func rclone(_ trial: ServerTrial) async throws { try await run(trial) }

    private func run(_ trial: ServerTrial) async throws {
        try await trial.check.run(on: ServerTrial.subject(trial.way))
    }

    /// Returns the rules for HTTP with Basic, and fewer for the further ways.
    private static func trials(
        _ kind: RealServerKind,
        _ scope: ConformanceScope = .server,
        further: [(login: RealServerEndpoint.Login, isSecure: Bool)]
    ) -> [ServerTrial] {
        ServerTrial.all(RealServerWay(kind: kind, login: .basic, isSecure: false), scope)
            + further.flatMap {
                ServerTrial.all(RealServerWay(kind: kind, login: $0.login, isSecure: $0.isSecure), .access)
            }
    }
}

/// One rule, on one way into a server.
struct ServerTrial: Sendable, CustomTestStringConvertible {
    let way: RealServerWay
    let check: ConformanceCheck

    var testDescription: String { "\(way): \(check.title)" }

    /// Returns the rules of a scope for a way into a server.
    static func all(_ way: RealServerWay, _ scope: ConformanceScope) -> [ServerTrial] {
        scope.checks(deviations: scope == .access ? [] : Array(ServerDeviations.of(way).keys)).map {
            ServerTrial(way: way, check: $0)
        }
    }

    /// Returns the subject of a way, which is the same for all its rules.
    static func subject(_ way: RealServerWay) -> ConformanceSubject {
        subjects.withLock { subjects in
            if let subject = subjects[way] { return subject }
            let subject = ConformanceSubject(
                way.description,
                deviations: ServerDeviations.of(way),
                occasional: ServerDeviations.occasional,
                stageFor: { try await RealStage.conformance(way, for: $0) }
            )
            subjects[way] = subject
            return subject
        }
    }

    private static let subjects = Mutex<[RealServerWay: ConformanceSubject]>([:])
}
