import FerryCore
import FerryLocal
import FerryMemory
import FerryTestKit
import FerryTestServers
import FerryWebDAV
import Foundation
import Testing

@testable import FerryTransfer

@Suite("Storages that never list names that begin with a dot")
struct HiddenNameTests {
    private let source = MemoryFileProvider()
    private let target = MemoryFileProvider()

    private func transfer(
        _ mode: TransferOptions.Mode,
        from source: any TransferPlace.Storage,
        to target: any TransferPlace.Storage,
        _ change: (inout TransferOptions) -> Void = { _ in }
    ) throws -> Transfer {
        var options = TransferOptions()
        options.mode = mode
        options.largestRemoval = 1
        change(&options)
        return try Transfer(from: TransferPlace(source, "/a"), to: TransferPlace(target, "/b"), options: options)
    }

    @Test("a move leaves the folders of the source, since what is in them may not be seen")
    func moving() async throws {
        try await Tree.plant(["/a/1": "one", "/a/d/2": "two", "/a/d/.mine": "secret"], in: source)
        let report = try await transfer(.move, from: StorageWithout(.dotNames, source), to: target).run()
        #expect(report.isComplete, "\(report.lines)")
        #expect(try await Tree.lines(of: source, below: "/a") == ["/d/", "/d/.mine secret"])
        #expect(try await Tree.lines(of: target, below: "/b") == ["/1 one", "/d/", "/d/2 two"])
        #expect(report.counts[.removeSource] == nil)
    }

    @Test("sync removes no such name of the target where the source may only hide its own", arguments: [true, false])
    func syncing(byPlan: Bool) async throws {
        try await Tree.plant(["/a/1": "one", "/a/d/.kept": "there, too"], in: source)
        try await Tree.plant(
            ["/b/.mine": "m", "/b/d/.kept": "k", "/b/gone": "g", "/b/.folder/x": "x", "/b/old/.y": "y"],
            in: target
        )
        let transfer = try transfer(.sync, from: StorageWithout(.dotNames, source), to: target)
        let plan = try await transfer.plan()
        #expect(
            plan.actions.filter { $0.reason == .hidden }.map { "\($0.kind) \($0.path)" }.sorted() == [
                "skip /.folder", "skip /.mine", "skip /d/.kept",
            ]
        )
        let report = try await byPlan ? transfer.run(plan) : transfer.run()
        #expect(report.isComplete, "\(report.lines)")
        // The source has no folder `old`, which it would list: so nothing in it is the source's either.
        #expect(
            try await Tree.lines(of: target, below: "/b") == [
                "/.folder/", "/.folder/x x", "/.mine m", "/1 one", "/d/", "/d/.kept k",
            ]
        )
    }

    @Test("a folder of the target goes as a whole only if nothing in it is to stay, which may not be seen")
    func extras() async throws {
        try await Tree.plant(["/a/1": "one"], in: source)
        try await Tree.plant(["/b/old/x": "x", "/b/old/.kept": "k"], in: target)
        let hiding = StorageWithout(.dotNames, target)
        let filtered = try transfer(.sync, from: source, to: hiding) {
            $0.filter.patterns = TransferFilter.patterns(in: ".kept")
        }
        #expect(try await filtered.run().isComplete)
        #expect(try await Tree.lines(of: target, below: "/b") == ["/1 one", "/old/", "/old/.kept k"])
        // A plan names all that goes, and nobody has seen this.
        let plan = try await transfer(.sync, from: source, to: hiding).plan()
        #expect(plan.count(.remove) == 0)
        #expect(try await transfer(.sync, from: source, to: hiding).run().isComplete)
        #expect(try await Tree.lines(of: target, below: "/b") == ["/1 one"])
    }

    @Test("so it is with nginx, which is asked what it is first")
    func nginx() async throws {
        let server = try await RealServer.shared(.nginx)
        let place = try server.makePlace(server.http)
        defer { place.remove() }
        try place.makeFolder("a/d")
        for (path, text) in [("a/1", "one"), ("a/d/2", "two"), ("a/d/.mine", "secret")] {
            try place.write(Data(text.utf8), to: path)
        }
        place.own("a/d")
        let storage = try WebDAVFileProvider(
            baseURL: place.url,
            credential: FileProviderCredential(user: server.user, secret: .password(server.password))
        )
        try await Tree.plant(["/b/d/.mine": "copied by hand"], in: target)
        #expect(try await transfer(.sync, from: storage, to: target).run().isComplete)
        #expect(
            try await Tree.lines(of: target, below: "/b") == [
                "/1 one", "/d/", "/d/.mine copied by hand", "/d/2 two",
            ]
        )
        #expect(try await transfer(.move, from: storage, to: target).run().isComplete)
        #expect(FileManager.default.fileExists(atPath: place.path("a/d/.mine")))
        #expect(!FileManager.default.fileExists(atPath: place.path("a/d/2")))
    }
}
