import FerryCore
import FerryTestServers
import Foundation
import Testing

@testable import FerryFTP

/// The guide's page is written by this test: with `FERRY_WRITE_GUIDE=1` in the environment it writes it anew.
@Suite("The guide says what each FTP server can do")
struct FTPGuideTests {
    @Test("as these servers have just shown")
    func page() async throws {
        var columns: [(name: String, facts: [(what: String, answer: String)])] = []
        for (kind, name) in [
            (FTPServerKind.vsftpd, "vsftpd"), (.proftpd, "ProFTPD"), (.pureftpd, "Pure-FTPd"),
            (.pyftpdlib, "pyftpdlib"),
        ] {
            columns.append((name, try await Self.observe(.init(kind, .explicit))))
        }
        let rows = columns[0].facts.indices.map { index in
            "| \(columns[0].facts[index].what) | " + columns.map { $0.facts[index].answer }.joined(separator: " | ")
                + " |"
        }
        let table =
            [
                "| | " + columns.map(\.name).joined(separator: " | ") + " |",
                "|---|" + columns.map { _ in ":-:" }.joined(separator: "|") + "|",
            ] + rows
        let page = Self.head + table.joined(separator: "\n") + "\n" + Self.tail
        let url = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
            .appending(path: "Sources/FerryFTP/FerryFTP.docc/WhatFTPServersCanDo.md")
        if ProcessInfo.processInfo.environment["FERRY_WRITE_GUIDE"] == "1" { try Data(page.utf8).write(to: url) }
        let committed = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
        #expect(
            committed == page,
            "run `FERRY_WRITE_GUIDE=1 scripts/test --filter FTPGuideTests`, and commit:\n\(page)"
        )
    }

    private static func observe(_ way: FTPServerWay) async throws -> [(what: String, answer: String)] {
        try await withStage(way) { stage in
            let files = stage.provider
            try await files.writeStream(
                path: "/a",
                contents: DataChunks(Data("old".utf8)),
                length: 3,
                options: WriteOptions(modifiedDate: Date(timeIntervalSince1970: 1_577_934_245))
            )
            try await files.writeContents(path: "/a", contents: Data("new".utf8), overwrite: true)
            try await files.writeContents(path: "/.hidden", contents: Data())
            let names = try await files.contentsOfDirectory(path: "/").map(\.name)
            let facts = files.server.known
            let capabilities = files.capabilities
            func mark(_ isThere: Bool) -> String { isThere ? "✓" : "–" }
            let precision = capabilities.datePrecision == .seconds(1) ? "seconds" : "minutes, then days"
            let dates = [FTPServerFacts.DateSetting.mfmt: "MFMT", .mdtm: "MDTM"]
            return [
                ("folders are listed by", files.server.listsFacts ? "MLSD" : "LIST -a"),
                ("dates in listings are exact to", precision),
                ("modified dates are set by", facts.dateSetting.flatMap { dates[$0] } ?? "–"),
                ("hidden names are listed", mark(names.contains(".hidden"))),
                ("a rename replaces a file in one step", mark(facts.renamesOver != false)),
                (
                    "a new file can't take another's place, even at the same moment",
                    mark(capabilities.createsExclusively)
                ),
                ("a part of a file is sent with its end (RANG)", mark(facts.has("RANG"))),
                ("copies happen on the server", mark(capabilities.copiesOnServer)),
                ("checksums are offered", facts.checksumCommands.isEmpty ? "–" : "✓"),
            ]
        }
    }

    private static let head = """
        # Abilities of FTP servers

        The abilities of an ``FTPFileProvider`` on the servers that its tests run against.

        ## Overview

        Every FTP server can list, read, write, create, rename and remove, and the provider is tried with the same
        conformance suite on all of these, with explicit TLS; on vsftpd also without and with implicit TLS. Their
        differences are in `capabilities` once the server was asked.

        The table is made by the tests, from what the servers showed when they ran.


        """

    private static let tail = """

        Where a server has no copies of its own, the content passes through this machine.

        """
}
