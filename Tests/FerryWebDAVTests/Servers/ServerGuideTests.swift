import FerryTestServers
import Foundation
import Testing

/// The guide's page is written by this test: with `FERRY_WRITE_GUIDE=1` in the environment it writes it anew.
@Suite("The guide says what each server can do")
struct ServerGuideTests {
    @Test("as these servers have just shown")
    func page() async throws {
        var observations: [ServerObservations] = []
        for kind in RealServerKind.allCases { observations.append(try await ServerObservations(of: kind)) }
        let page = ServerGuide.page(observations)
        let url = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
            .appending(path: "Sources/FerryWebDAV/FerryWebDAV.docc/WhatServersCanDo.md")
        if ProcessInfo.processInfo.environment["FERRY_WRITE_GUIDE"] == "1" {
            try Data(page.utf8).write(to: url)
        }
        let committed = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
        #expect(
            committed == page,
            "run `FERRY_WRITE_GUIDE=1 scripts/test --filter ServerGuideTests`, and commit:\n\(page)"
        )
    }
}

/// The page about what each server can do.
enum ServerGuide {
    static func page(_ servers: [ServerObservations]) -> String {
        let names = servers.map(\.name)
        let rows = servers.first.map { $0.facts.map(\.what) } ?? []
        let table =
            [
                "| | " + names.joined(separator: " | ") + " |",
                "|---|" + names.map { _ in ":-:" }.joined(separator: "|") + "|",
            ]
            + rows.map { what in
                let cells = servers.map { server in server.facts.first { $0.what == what }?.answer ?? "?" }
                return "| \(what) | " + cells.joined(separator: " | ") + " |"
            }
        return head + table.joined(separator: "\n") + "\n" + tail
    }

    private static let head = """
        # Abilities of WebDAV servers

        The abilities of a ``WebDAVFileProvider`` on the servers that its tests run against.

        ## Overview

        Every WebDAV server can list, read, write, create, copy, move and remove, and the provider is tried with the
        same conformance suite on all of these. They differ in what they promise beyond that; after
        ``WebDAVProvider/discover(probing:)``, or the first write, `capabilities` say what holds.

        The table is made by the tests, from what the servers showed when they ran.


        """

    private static let tail = """

        Where a server doesn't replace a file in one step, or can't be trusted to, the provider writes under a temporary
        name, and then moves: so a write that breaks off leaves the old content on all of them. No server sets the date of
        a file. Where a server looks at no eTag, but has locks, the provider locks the file for as long as it takes to
        compare its eTag and to put the new content in its place; else it refuses such a write. WsgiDAV's eTags have whole
        seconds: there a file has none for the first two.

        Changes since an anchor are found by comparing listings, on every server that has no history of its own.

        ## Services that were never tried

        Some services are known by their addresses, and by what is published of them alone; what isn't published is tried
        out, as on any other server.

        | | Yandex Disk | Fastmail |
        |---|:-:|:-:|
        | address | `webdav.yandex.ru`, `webdav.yandex.com` | `webdav.fastmail.com`, `myfiles.fastmail.com` |
        | logins | app password, or a token (`Authorization: OAuth`) | app password |
        | modified dates can be set | – | ✓ with an upload |
        | checksums are told | – | SHA-1 |
        | locks | keep nobody out, so they aren't promised | as it says |

        """
}
