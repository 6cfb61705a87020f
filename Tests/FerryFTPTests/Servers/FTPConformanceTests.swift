import FerryTestKit
import FerryTestServers
import Synchronization
import Testing

/// Every rule on one server with explicit TLS; on the others what servers differ in.
///
/// `FERRY_DEEP=1` tries all on all.
@Suite("FTP providers behave as every provider must, on real servers")
struct FTPConformanceTests {
    @Test("Pure-FTPd, explicit TLS", arguments: trials(.init(.pureftpd, .explicit), .all))
    func pureftpd(_ trial: FTPTrial) async throws { try await trial.run() }

    @Test("vsftpd, explicit TLS", arguments: trials(.init(.vsftpd, .explicit), .server))
    func vsftpd(_ trial: FTPTrial) async throws { try await trial.run() }

    @Test("vsftpd, plain", arguments: trials(.init(.vsftpd, .plain), .access))
    func plainVsftpd(_ trial: FTPTrial) async throws { try await trial.run() }

    @Test("vsftpd, implicit TLS", arguments: trials(.init(.vsftpd, .implicit), .access))
    func implicitVsftpd(_ trial: FTPTrial) async throws { try await trial.run() }

    @Test("ProFTPD, explicit TLS", arguments: trials(.init(.proftpd, .explicit), .server))
    func proftpd(_ trial: FTPTrial) async throws { try await trial.run() }

    @Test("pyftpdlib, explicit TLS", arguments: trials(.init(.pyftpdlib, .explicit), .server))
    func pyftpdlib(_ trial: FTPTrial) async throws { try await trial.run() }

    private static func trials(_ way: FTPServerWay, _ scope: ConformanceScope) -> [FTPTrial] {
        scope.checks(deviations: scope == .access ? [] : Array(FTPDeviations.of(way).keys)).map {
            FTPTrial(way: way, check: $0)
        }
    }
}

/// One rule, on one way into a server.
struct FTPTrial: Sendable, CustomTestStringConvertible {
    let way: FTPServerWay
    let check: ConformanceCheck

    var testDescription: String { "\(way): \(check.title)" }

    func run() async throws { try await check.run(on: Self.subject(way)) }

    /// The subject of a way, which is the same for all its rules.
    private static func subject(_ way: FTPServerWay) -> ConformanceSubject {
        subjects.withLock { subjects in
            if let subject = subjects[way] { return subject }
            let subject = ConformanceSubject(
                way.description,
                deviations: FTPDeviations.of(way),
                occasional: FTPDeviations.occasional,
                stageFor: { try await FTPStage.conformance(way, for: $0) }
            )
            subjects[way] = subject
            return subject
        }
    }

    private static let subjects = Mutex<[FTPServerWay: ConformanceSubject]>([:])
}
