import FerryCore
import FerryMemory
import FerryTestServers
import FerryWebDAV
import Foundation
import HTTPTypes
import Testing

@testable import FerryTransfer

/// Issue 24: dates that a server can't keep, folders that stay, uploads where nothing can be moved.
@Suite("Transfers to odd servers")
struct OddTargetTests {
    private let source = MemoryFileProvider()

    private func files(_ server: OddWebDAVServer) throws -> WebDAVFileProvider {
        try WebDAVFileProvider(baseURL: server.url, credential: nil)
    }

    private func transfer(
        from source: any TransferPlace.Storage,
        to target: any TransferPlace.Storage,
        _ change: (inout TransferOptions) -> Void = { _ in }
    ) throws -> Transfer {
        var options = TransferOptions()
        options.mode = .sync
        options.largestRemoval = 1
        change(&options)
        return try Transfer(
            from: TransferPlace(source, "/a"),
            to: TransferPlace(target, "/b"),
            options: options,
            retryPolicy: RetryPolicy(maximumAttempts: 1)
        )
    }

    // MARK: Dates

    @Test(
        "a date that the server can't keep is counted, copied once, and not replaced by the server's own on the way back",
        arguments: [-157_766_400, 40_000]
    )
    func dates(seconds: Int) async throws {
        try await withOddWebDAVServer { server in
            server.change { $0.keptDates = 86_401...4_102_444_800 }
            let files = try files(server)
            try await files.discover()
            #expect(files.capabilities.setsModifiedDate)
            try await Tree.plant(["/a/old": "old"], in: source, date: Double(seconds))
            try await Tree.plant(["/a/new": "new"], in: source, date: 1_600_000_000)
            let first = try await transfer(from: source, to: files).run()
            #expect(first.isComplete && first.counts[.add] == 2 && first.losses[.dates] == 1, "\(first.lines)")
            #expect(server.date("/b/new") == 1_600_000_000)
            let second = try await transfer(from: source, to: files).run()
            #expect(second.counts[.update] == nil && second.counts[.setDates] == nil, "\(second.lines)")

            var options = TransferOptions()
            options.mode = .sync
            let back = try Transfer(from: TransferPlace(files, "/b"), to: TransferPlace(source, "/a"), options: options)
            let report = try await back.run()
            #expect(report.counts[.update] == nil && report.counts[.setDates] == nil, "\(report.lines)")
            let date = try await source.attributesOfItem(path: "/a/old").modifiedDate
            #expect(date == Date(timeIntervalSince1970: Double(seconds)))
        }
    }

    // MARK: Folders

    @Test(
        "folders that filters empty are removed where the server is seen to list hidden names",
        arguments: [false, true]
    )
    func emptied(hides: Bool) async throws {
        try await withOddWebDAVServer { server in
            server.change { $0.hidesDotNames = hides }
            server.plant(["/b/D/x": "x", "/b/D/sub/y": "y", "/b/keep": "k"])
            try await Tree.plant(["/a/keep": "k"], in: source)
            let report = try await transfer(from: source, to: files(server)) {
                $0.filter.patterns = TransferFilter.patterns(in: "*.tmp")
            }.run()
            #expect(report.isComplete, "\(report.lines)")
            #expect(server.names == (hides ? ["/b", "/b/D", "/b/D/sub", "/b/keep"] : ["/b", "/b/keep"]))
            #expect(report.losses[.folders] == (hides ? 2 : nil), "\(report.lines)")
        }
    }

    @Test("a renamed folder leaves nothing behind with --track-renames")
    func renames() async throws {
        try await withOddWebDAVServer { server in
            server.plant(["/b/D/x": "contents of x", "/b/D/y": "and of y"])
            try await Tree.plant(["/a/E/x": "contents of x", "/a/E/y": "and of y"], in: source)
            let report = try await transfer(from: source, to: files(server)) { $0.tracksRenames = true }.run()
            #expect(report.isComplete, "\(report.lines)")
            #expect(server.names == ["/b", "/b/E", "/b/E/x", "/b/E/y"])
            #expect(!server.names.contains { $0.contains("ferry") })
        }
    }

    @Test("a move leaves no empty folder on a server that lists hidden names, and tells of those on one that does not")
    func moved() async throws {
        for hides in [false, true] {
            try await withOddWebDAVServer { server in
                server.change { $0.hidesDotNames = hides }
                server.plant(["/b/D/x": "x"])
                var options = TransferOptions()
                options.mode = .move
                let report = try await Transfer(
                    from: TransferPlace(files(server), "/b"),
                    to: TransferPlace(MemoryFileProvider(), "/t"),
                    options: options
                ).run()
                #expect(report.isComplete && server.names == (hides ? ["/b", "/b/D"] : []), "\(server.names)")
                #expect(report.losses[.folders] == (hides ? 1 : nil), "\(report.lines)")
            }
        }
    }

    // MARK: In place

    @Test("where nothing can be moved, it is told once that files are written in place")
    func inPlace() async throws {
        try await withOddWebDAVServer { server in
            server.change { $0.moveStatus = 502 }
            for name in ["a", "b", "c"] { try await Tree.plant(["/a/\(name)": name], in: source) }
            let report = try await transfer(from: source, to: files(server)).run()
            #expect(report.isComplete && report.counts[.add] == 3, "\(report.lines)")
            #expect(report.losses[.atomicity] == 3, "\(report.lines)")
            #expect(server.names == ["/b", "/b/a", "/b/b", "/b/c"])
        }
    }

    @Test("half a file that a killed run has left in place goes with the next run, and a stranger's file stays")
    func halfInPlace() async throws {
        let scratch = try ScratchFolder()
        let journal = try await TransferJournal.open(at: scratch.url.appending(path: "journal.sqlite"))
        try await withOddWebDAVServer { server in
            server.change { oddities in
                oddities.moveStatus = 502
                // The body comes, and the answer doesn't: as if the process had died then.
                oddities.refusal = { request in
                    request.method == "PUT" && ["/b/half", "/b/other"].contains(request.path)
                        ? LoopbackAnswer(.badRequest) : nil
                }
            }
            try await Tree.plant(["/a/done": "done", "/a/half": "half of it", "/a/other": "ours, long"], in: source)
            let files = try files(server)
            let broken = try transfer(from: source, to: files) { $0.mode = .copy }
            #expect(try await broken.run(journal: journal).failures.count == 2)
            server.plant(["/b/half": "half", "/b/other": "theirs"])
            server.change { $0.refusal = nil }
            let again = try await transfer(from: source, to: files) {
                ($0.mode, $0.replacesFiles) = (.copy, false)
            }.run(journal: journal)
            #expect(server.text("/b/half") == "half of it", "\(again.lines)")
            #expect(server.text("/b/other") == "theirs")
        }
    }

    // MARK: Late requests

    @Test(
        "a file that a killed run's request has made after the look is its own, if it has the same content",
        arguments: [true, false]
    )
    func late(isSame: Bool) async throws {
        let scratch = try ScratchFolder()
        let journal = try await TransferJournal.open(at: scratch.url.appending(path: "journal.sqlite"))
        try await withOddWebDAVServer { server in
            try await Tree.plant(["/a/x": "contents"], in: source)
            server.change { $0.refusal = { $0.method == "PUT" ? LoopbackAnswer(.forbidden) : nil } }
            let files = try files(server)
            let transfer = try transfer(from: source, to: files) { ($0.mode, $0.replacesFiles) = (.copy, false) }
            #expect(try await transfer.run(journal: journal).failures.count == 1)
            // The listing is older than what has come.
            server.plant(["/b/x": isSame ? "contents" : "CONTENTS"])
            server.change { ($0.refusal, $0.unlisted) = (nil, ["x"]) }
            let report = try await transfer.run(journal: journal)
            #expect(report.isComplete == isSame, "\(report.lines)")
            #expect(server.text("/b/x") == (isSame ? "contents" : "CONTENTS"))
        }
    }
}
