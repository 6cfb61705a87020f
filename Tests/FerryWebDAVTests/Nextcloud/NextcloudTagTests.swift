import FerryCache
import FerryCore
import FerryCrypto
import FerryHTTP
import FerryTestServers
import Foundation
import HTTPTypes
import Testing

@testable import FerryWebDAV

@Suite("Nextcloud's eTags")
struct NextcloudTagTests {
    @Test("3: contents written in one second have different eTags, and a stale one is refused")
    func eTags() async throws {
        try await withAlice { alice, server in
            try await alice.writeContents(path: "/a.txt", contents: Data("one".utf8))
            let first = try await alice.attributesOfItem(path: "/a.txt")
            try await alice.writeContents(path: "/a.txt", contents: Data("two".utf8), overwrite: true)
            let second = try await alice.attributesOfItem(path: "/a.txt")
            #expect(first.eTag != second.eTag)
            await #expect(throws: PreconditionFailedError.self) {
                try await alice.writeStream(
                    path: "/a.txt",
                    contents: DataChunks(Data("bad".utf8)),
                    length: 3,
                    options: WriteOptions(ifMatch: first.eTag)
                )
            }
            #expect(server.node("a.txt")?.content == Data("two".utf8))
            try await alice.writeStream(
                path: "/a.txt",
                contents: DataChunks(Data("good".utf8)),
                length: 4,
                options: WriteOptions(ifMatch: second.eTag)
            )
            #expect(server.node("a.txt")?.content == Data("good".utf8))
        }
    }

    @Test("16: a kept listing is right while the folder's eTag is: one small question, and it changes with all below")
    func keptListing() async throws {
        try await withAlice { alice, server in
            try await alice.create(folder: "d", at: "/")
            try await alice.create(folder: "e", at: "/d")
            try await alice.writeContents(path: "/d/e/a", contents: Data("one".utf8))
            let cached = CachedFileProvider(alice, store: CacheStore(at: nil), options: .validate)
            func names(_ path: ItemPath) async throws -> [String] {
                server.forget()
                return try await cached.contentsOfDirectory(path: path).map(\.name)
            }
            for _ in 0..<2 {
                #expect(try await names("/d") == ["e"])
                #expect(try await names("/d") == ["e"])
                #expect(server.requests.map { $0.headerFields[.depth] } == ["0"])
                #expect(try await names("/d/e").count >= 1)
                // Another client, in a folder below.
                let folder: ItemPath = "/d/e"
                try await alice.writeContents(path: folder.appending(UUID().uuidString), contents: Data("two".utf8))
            }
            #expect(try await names("/d/e").count == 3)
            #expect(try await cached.withCaching([]).contentsOfDirectory(path: "/d/e").count == 3)
        }
    }

    @Test("3: another content under the same eTag is a change, where its size tells")
    func sameTag() async throws {
        try await withAlice { alice, server in
            func put(_ text: String) async throws {
                let reply = try await alice.connection.send(.put, "/a", body: HTTPRequestBody(text))
                #expect(reply.status.kind == .successful)
                await reply.body.drain()
            }
            // It stays the same only within one second.
            server.stopClock()
            try await put("what was there first")
            let (tag, anchor) = (server.node("a")?.eTag, try await alice.currentAnchor())
            try await put("another")
            #expect(server.node("a")?.eTag == tag)
            let changes = try await alice.changes(since: anchor)
            guard case .updated(let file, _)? = changes.changes.first else {
                Issue.record("not seen")
                return
            }
            #expect(changes.changes.count == 1 && file.path == "/a" && file.size == 7)
        }
    }

    @Test("3: an eTag that stays when the content changes is no proof for what is kept: the checksum is looked at")
    func forgedDate() async throws {
        try await withAlice { alice, server in
            func put(_ text: String, isSummed: Bool) async throws {
                var fields: HTTPFields = [.modifiedTime: "1500000000"]
                let sum = HashAlgorithm.sha1.hash(Data(text.utf8)).hexadecimal
                if isSummed { fields[.contentChecksum] = "SHA1:\(sum)" }
                let body = HTTPRequestBody(text)
                let reply = try await alice.connection.send(.put, "/a", fields: fields, body: body)
                #expect(reply.status.kind == .successful)
            }
            for options in [CachingOptions.validate, []] {
                let store = CacheStore(at: nil)
                let cached = CachedFileProvider(alice, store: store, options: options)
                try await put("one", isSummed: true)
                #expect(try await cached.contents(path: "/a") == Data("one".utf8))
                let eTag = server.node("a")?.eTag
                server.forget()
                #expect(try await cached.contents(path: "/a") == Data("one".utf8))
                #expect(server.count("GET") == 0, "what has not changed is not fetched again")
                for (text, isSummed) in [("two", true), ("six", false)] {
                    try await put(text, isSummed: isSummed)
                    #expect(server.node("a")?.eTag == eTag)
                    #expect(try await cached.contents(path: "/a") == Data(text.utf8))
                    #expect(try await cached.contents(path: "/a", offset: 1, length: 1) == Data(text.utf8)[1..<2])
                }
            }
        }
    }
}
