import FerryCore
import FerryHTTP
import FerryTestServers
import FerryWebDAV
import Foundation
import Testing

@testable import FerryTransfer

@Suite("A server that has two names")
struct OtherNameTests {
    private func storage(_ url: URL, _ server: RealServer) throws -> WebDAVFileProvider {
        try WebDAVFileProvider(
            baseURL: url,
            credential: FileProviderCredential(user: server.user, secret: .password(server.password))
        )
    }

    @Test(
        "loses nothing when what is on it is moved onto itself, as far as anybody can tell from one storage to another",
        arguments: RealServerKind.allCases,
        [ComparisonRule.nothing, .standard, .size]
    )
    func ontoItself(_ kind: RealServerKind, rule: ComparisonRule) async throws {
        let server = try await RealServer.shared(kind)
        let place = try server.makePlace(server.http)
        defer { place.remove() }
        var parts = try #require(URLComponents(url: place.url, resolvingAgainstBaseURL: true))
        parts.host = "localhost"
        let (first, second) = (try storage(place.url, server), try storage(try #require(parts.url), server))
        #expect(!TransferPlace(first).isOnStorage(of: TransferPlace(second)))
        try await Tree.plant(["/a/1": "one", "/a/d/2": "two"], in: first)
        var options = TransferOptions()
        options.mode = .move
        options.comparison = rule
        for top in ["/a", "/a/1"] as [ItemPath] {
            let (from, to) = (TransferPlace(first, top), TransferPlace(second, top))
            let transfer = try Transfer(from: from, to: to, options: options)
            let error = await #expect(throws: CocoaError.self) { try await transfer.run() }
            #expect(error?.code == .fileWriteFileExists)
            let plan = try await transfer.plan()
            await #expect(throws: CocoaError.self) { try await transfer.run(plan) }
        }
        #expect(try await Tree.lines(of: first, below: "/a") == ["/1 one", "/d/", "/d/2 two"])
        // Elsewhere on it, it can go.
        let away = try Transfer(from: TransferPlace(first, "/a"), to: TransferPlace(second, "/b"), options: options)
        #expect(try await away.run().isComplete)
        #expect(try await Tree.lines(of: first, below: "/b") == ["/1 one", "/d/", "/d/2 two"])
        #expect(try place.names().filter { $0.hasSuffix(".tmp") || $0.hasSuffix("/1") } == ["b/1"])
        await first.invalidate()
        await second.invalidate()
    }
}
