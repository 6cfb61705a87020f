import FerryTestKit
import FerryTestServers
import Testing

@Suite("WebDAV providers behave as every provider must, on real servers")
struct ServerConformanceTests {
    @Test("Apache", arguments: ways(.apache), ConformanceCheck.all)
    func apache(_ way: RealServerWay, keeps check: ConformanceCheck) async throws {
        try await check.run(on: subject(way, check))
    }

    @Test("nginx", arguments: ways(.nginx), ConformanceCheck.all)
    func nginx(_ way: RealServerWay, keeps check: ConformanceCheck) async throws {
        try await check.run(on: subject(way, check))
    }

    @Test("lighttpd", arguments: ways(.lighttpd), ConformanceCheck.all)
    func lighttpd(_ way: RealServerWay, keeps check: ConformanceCheck) async throws {
        try await check.run(on: subject(way, check))
    }

    @Test("WsgiDAV", arguments: ways(.wsgidav), ConformanceCheck.all)
    func wsgidav(_ way: RealServerWay, keeps check: ConformanceCheck) async throws {
        try await check.run(on: subject(way, check))
    }

    @Test("rclone", arguments: ways(.rclone), ConformanceCheck.all)
    func rclone(_ way: RealServerWay, keeps check: ConformanceCheck) async throws {
        try await check.run(on: subject(way, check))
    }

    private func subject(_ way: RealServerWay, _ check: ConformanceCheck) -> ConformanceSubject {
        let occasional = ServerDeviations.occasional
        return ConformanceSubject(way.description, deviations: ServerDeviations.of(way), occasional: occasional) {
            try await RealStage.conformance(way, for: check)
        }
    }

    /// HTTP with Basic on each server, and besides, all the ways that there are, each on some server.
    private static func ways(_ kind: RealServerKind) -> [RealServerWay] {
        let others: [(RealServerEndpoint.Login, isSecure: Bool)] =
            switch kind {
            case .apache: [(.digest, true)]
            case .nginx: [(.basic, true)]
            case .lighttpd: [(.digest, false), (.basic, true)]
            case .wsgidav: [(.digest, true)]
            case .rclone: [(.basic, true)]
            }
        return ([(.basic, false)] + others).map { RealServerWay(kind: kind, login: $0, isSecure: $1) }
    }
}
