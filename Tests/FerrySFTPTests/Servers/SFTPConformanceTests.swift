import FerryTestKit
import FerryTestServers
import Testing

/// Every rule on OpenSSH's server, confined to a folder as at most hosters.
@Suite("SFTP behaves as every provider must, on real servers")
struct SFTPConformanceTests {
    @Test("OpenSSH", arguments: ConformanceCheck.all)
    func openSSH(_ check: ConformanceCheck) async throws { try await check.run(on: Self.confined) }

    /// The rules about differences between servers; with `FERRY_DEEP=1` all.
    ///
    /// They run one after the other: its process falls silent when many rules are at it (see Guarantees/SFTP.md).
    @Test(
        "proftpd's mod_sftp",
        .serialized,
        arguments: ConformanceScope.server.checks(deviations: SFTPDeviations.proftpd.keys)
    )
    func proftpd(_ check: ConformanceCheck) async throws { try await check.run(on: Self.modSFTP) }

    private static let modSFTP = ConformanceSubject(
        "proftpd",
        deviations: SFTPDeviations.proftpd,
        stageFor: { try await SFTPConformanceStage.make(SSHServer.Options(.proftpd), for: $0) }
    )

    private static let confined = ConformanceSubject(
        "OpenSSH",
        deviations: SFTPDeviations.confined,
        stageFor: { try await SFTPConformanceStage.make(SSHServer.Options(), for: $0) }
    )
}
