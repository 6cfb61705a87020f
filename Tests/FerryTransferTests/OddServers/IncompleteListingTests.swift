import FerryCore
import FerryMemory
import FerryTestServers
import FerryWebDAV
import Foundation
import Testing

@testable import FerryTransfer

/// Issue 24: `sync` removed what a server had listed on its second page only.
@Suite("Listings of servers that may lack something")
struct IncompleteListingTests {
    private static let names = (10..<30).map { "f\($0)" }

    private func transfer(
        _ mode: TransferOptions.Mode,
        from server: OddWebDAVServer,
        to target: MemoryFileProvider
    ) throws -> Transfer {
        var options = TransferOptions()
        options.mode = mode
        options.largestRemoval = 1
        let files = try WebDAVFileProvider(baseURL: server.url, credential: nil)
        return try Transfer(
            from: TransferPlace(files, "/d"),
            to: TransferPlace(target, "/t"),
            options: options,
            retryPolicy: RetryPolicy(maximumAttempts: 1)
        )
    }

    private func plant(_ server: OddWebDAVServer, _ target: MemoryFileProvider) async throws {
        for name in Self.names {
            server.plant(["/d/\(name)": name])
            try await Tree.plant(["/t/\(name)": name], in: target)
        }
    }

    @Test("several pages are one listing: nothing is removed that is on a later one", arguments: [true, false])
    func pages(isPlan: Bool) async throws {
        try await withOddWebDAVServer { server in
            let target = MemoryFileProvider()
            try await plant(server, target)
            server.change { $0.pageSize = 6 }
            try await Tree.plant(["/t/extra": "x"], in: target)
            let transfer = try transfer(.sync, from: server, to: target)
            let report = try await isPlan ? transfer.run(try await transfer.plan()) : transfer.run()
            #expect(report.isComplete && report.counts[.remove] == 1, "\(report.lines)")
            #expect(try await target.contentsOfDirectory(path: "/t").map(\.name).sorted() == Self.names)
        }
    }

    @Test("a page that can't be had ends the work, and nothing is removed")
    func lostPage() async throws {
        try await withOddWebDAVServer { server in
            let target = MemoryFileProvider()
            try await plant(server, target)
            server.change { ($0.pageSize, $0.nextLink) = (6, .host("elsewhere.example")) }
            let transfer = try transfer(.sync, from: server, to: target)
            await #expect(throws: URLError.self) { try await transfer.run() }
            #expect(try await target.contentsOfDirectory(path: "/t").count == Self.names.count)
        }
    }

    @Test(
        "what a listing lacks is asked for by its name before anything is removed",
        arguments: [["f10"], ["f29"], ["f15", "f16"], names]
    )
    func unlisted(names: [String]) async throws {
        try await withOddWebDAVServer { server in
            let target = MemoryFileProvider()
            try await plant(server, target)
            server.change { $0.unlisted = Set(names) }
            let transfer = try transfer(.sync, from: server, to: target)
            let error = await failure(of: { try await transfer.run() })
            #expect(
                (error as NSError?)?.localizedDescription.contains("its listing lacks") == true,
                "\(String(describing: error))"
            )
            #expect(try await target.contentsOfDirectory(path: "/t").count == Self.names.count)
        }
    }

    @Test("the same holds in folders below: nothing is removed anywhere")
    func below() async throws {
        try await withOddWebDAVServer { server in
            let target = MemoryFileProvider()
            try await plant(server, target)
            server.plant(["/d/sub/a": "a", "/d/sub/b": "b"])
            try await Tree.plant(["/t/sub/a": "a", "/t/sub/b": "b", "/t/extra": "x"], in: target)
            server.change { $0.unlisted = ["b"] }
            let report = try await transfer(.sync, from: server, to: target).run()
            #expect(!report.isComplete && report.counts[.remove] == nil, "\(report.lines)")
            #expect(try await target.contentsOfDirectory(path: "/t/sub").count == 2)
            #expect(try await target.contentsOfDirectory(path: "/t").contains { $0.name == "extra" })
        }
    }

    @Test("no more than three names are asked for")
    func questions() async throws {
        try await withOddWebDAVServer { server in
            let target = MemoryFileProvider()
            server.plant(["/d/a": "a"])
            for number in 0..<9 { try await Tree.plant(["/t/x\(number)": "x"], in: target) }
            let report = try await transfer(.sync, from: server, to: target).run()
            #expect(report.isComplete && report.counts[.remove] == 9, "\(report.lines)")
            let asked = server.requests.filter { $0.method == "PROPFIND" && $0.path.hasPrefix("/d/x") }
            #expect(asked.count == 3 && asked.allSatisfy { $0["Depth"] == "0" })
        }
    }

    @Test("a move takes all pages, and removes the folder only when it is seen to be empty", arguments: [3, nil])
    func moving(pageSize: Int?) async throws {
        try await withOddWebDAVServer { server in
            let target = MemoryFileProvider()
            for name in Self.names { server.plant(["/d/sub/\(name)": name]) }
            server.change { $0.pageSize = pageSize }
            let report = try await transfer(.move, from: server, to: target).run()
            #expect(report.isComplete, "\(report.lines)")
            #expect(try await target.contentsOfDirectory(path: "/t/sub").map(\.name).sorted() == Self.names)
            #expect(server.names.isEmpty, "\(server.names)")
        }
    }

    private func failure(of body: () async throws -> some Any) async -> (any Error)? {
        do {
            _ = try await body()
            return nil
        } catch {
            return error
        }
    }
}
