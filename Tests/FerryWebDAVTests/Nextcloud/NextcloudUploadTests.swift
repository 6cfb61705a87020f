import FerryCore
import FerryHTTP
import FerryTestKit
import FerryTestServers
import Foundation
import HTTPTypes
import Testing

@testable import FerryWebDAV

@Suite("Uploads to Nextcloud")
struct NextcloudUploadTests {
    @Test("a new small file goes by one PUT with a length, a condition and a checksum")
    func newFile() async throws {
        try await withAlice { alice, server in
            server.forget()
            try await alice.writeContents(path: "/a.txt", contents: Data("hello".utf8))
            let put = try #require(server.requests.first { $0.method == .put })
            #expect(put.headerFields[.contentLength] == "5")
            #expect(put.headerFields[.ifNoneMatch] == "*")
            #expect(server.count("PUT") == 1 && server.count("MKCOL") == 0)
            #expect(server.node("a.txt")?.content == Data("hello".utf8))
            let kept = try await alice.attributesOfItem(path: "/a.txt").extras[.checksums]
            #expect(kept?[.sha256] == "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824")
        }
    }

    @Test("content whose length nobody knows is sent with one all the same")
    func unknownLength() async throws {
        try await withAlice { alice, server in
            let content = Data(repeating: 7, count: 400_000)
            try await alice.writeStream(path: "/a.bin", contents: DataChunks(content), length: nil)
            #expect(server.requests.allSatisfy { $0.headerFields[.transferEncoding] == nil })
            #expect(server.node("a.bin")?.content == content)
        }
    }

    @Test("what arrives damaged is an error, and does not stay")
    func damaged() async throws {
        try await withAlice { alice, server in
            server.inject(NextcloudFault(.spoilsContent, method: "PUT", path: "a.txt"))
            await #expect(throws: CocoaError.self) {
                try await alice.writeContents(path: "/a.txt", contents: Data("hello".utf8))
            }
            #expect(server.node("a.txt") == nil)
            #expect(server.trashedNames.isEmpty)
        }
    }

    @Test("a file that is replaced keeps its number, its favourite, its link, and its old content as a version")
    func replacing() async throws {
        try await withAlice { alice, server in
            try await alice.writeContents(path: "/a.txt", contents: Data("old".utf8))
            let before = try #require(server.node("a.txt"))
            try await alice.setFavorite(true, of: "/a.txt")
            let link = try await alice.publicLink(to: "/a.txt", options: ShareOptions())
            try await alice.writeContents(path: "/a.txt", contents: Data("new".utf8), overwrite: true)
            let after = try #require(server.node("a.txt"))
            #expect(after.id == before.id && after.isFavorite && after.content == Data("new".utf8))
            #expect(after.eTag != before.eTag)
            #expect(try await alice.publicLinks(to: "/a.txt").map(\.id) == [link.id])
            #expect(server.versions("a.txt").map(\.content) == [Data("old".utf8)])
            #expect(server.uploads.isEmpty)
        }
    }

    @Test(
        "whatever phase of replacing a file fails, the old content stays",
        arguments: [("MKCOL", "/uploads/"), ("PUT", "/uploads/"), ("MOVE", ".file")]
    )
    func failsWhileReplacing(method: String, path: String) async throws {
        try await withAlice { alice, server in
            try await alice.writeContents(path: "/a.bin", contents: Data("old".utf8))
            server.inject(
                NextcloudFault(.answer(507, exception: "x", message: "full"), method: method, path: path, times: 100)
            )
            await #expect(throws: (any Error).self) {
                try await alice.writeContents(
                    path: "/a.bin",
                    contents: Data(repeating: 1, count: 300_000),
                    overwrite: true
                )
            }
            #expect(server.node("a.bin")?.content == Data("old".utf8))
            #expect(server.versions("a.bin").isEmpty)
            server.clearFaults()
            try await alice.writeContents(path: "/a.bin", contents: Data("new".utf8), overwrite: true)
            #expect(server.node("a.bin")?.content == Data("new".utf8))
        }
    }

    @Test("a large file goes in chunks, and goes on where it was after a cut")
    func resuming() async throws {
        try await withAlice { alice, server in
            let content = Data.seeded(22 << 20)
            let file = FileManager.default.temporaryDirectory.appending(path: "ferry-\(UUID().uuidString)")
            try content.write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            server.inject(
                NextcloudFault(
                    .answer(401, exception: "x", message: "go away"),
                    method: "PUT",
                    path: "/00003",
                    times: 9
                )
            )
            await #expect(throws: (any Error).self) { try await alice.copyItem(localFile: file, to: "/big.bin") }
            #expect(server.node("big.bin") == nil)
            server.clearFaults()
            server.forget()
            try await alice.copyItem(localFile: file, to: "/big.bin")
            #expect(server.node("big.bin")?.content == content)
            #expect(server.count("MKCOL") == 0)
            #expect(server.count("PUT") <= 2)
            #expect(server.uploads.isEmpty)
            for request in server.requests where request.path?.contains("/uploads/") == true {
                guard request.method == .put || request.method.rawValue == "MOVE" else { continue }
                #expect(request.headerFields[.destination]?.hasSuffix("/remote.php/dav/files/alice/big.bin") == true)
                #expect(request.headerFields[.totalLength] == String(content.count))
            }
        }
    }

    @Test("chunks get larger where the line is quick, and are never larger than the server takes")
    func chunkSizes() async throws {
        // A server that says nothing of chunks gets one after the other.
        for (most, sizes) in [(Int?.none, [10, 20, 20]), (8 << 20, [2, 8, 8, 8, 8, 8, 8])] {
            try await withAlice {
                $0.maximumChunkSize = most
            } perform: { asking, server in
                // No time passes while a chunk is sent: the line is as quick as can be, on every machine.
                let store = MemoryUploadSessionStore()
                let alice = try NextcloudLine.provider(server.url, asking.facts, store, clock: InstantClock())
                let file = FileManager.default.temporaryDirectory.appending(path: "ferry-\(UUID().uuidString)")
                #expect(FileManager.default.createFile(atPath: file.path(percentEncoded: false), contents: nil))
                defer { try? FileManager.default.removeItem(at: file) }
                let handle = try FileHandle(forWritingTo: file)
                try handle.truncate(atOffset: 50 << 20)
                try handle.close()
                try await alice.copyItem(localFile: file, to: "/big.bin")
                let lengths = server.requests.filter { $0.method == .put && $0.path?.contains("/uploads/") == true }
                    .compactMap { $0.headerFields[.contentLength].flatMap { Int($0) } }
                #expect(lengths.map { $0 >> 20 }.sorted() == sizes)
                #expect(server.node("big.bin")?.content.count == 50 << 20)
                await alice.invalidate()
            }
        }
    }

    @Test("a chunk that arrives damaged is sent again before anything shows it")
    func damagedChunk() async throws {
        try await withAlice { alice, server in
            try await alice.writeContents(path: "/a.txt", contents: Data("old".utf8))
            server.inject(NextcloudFault(.spoilsContent, method: "PUT", path: "/uploads/"))
            try await alice.writeContents(path: "/a.txt", contents: Data("new".utf8), overwrite: true)
            #expect(server.node("a.txt")?.content == Data("new".utf8))
            #expect(server.versions("a.txt").count == 1)
        }
    }

    @Test("where chunks have no checksums, the whole file's is asked for")
    func wholeChecksum() async throws {
        try await withAlice { settings in
            settings.hashesChunks = false
        } perform: { alice, server in
            try await alice.writeContents(path: "/a.txt", contents: Data("old".utf8))
            try await alice.writeContents(path: "/a.txt", contents: Data("new".utf8), overwrite: true)
            #expect(server.count("PATCH") == 1)
            server.inject(NextcloudFault(.spoilsContent, method: "PUT", path: "/uploads/"))
            await #expect(throws: CocoaError.self) {
                try await alice.writeContents(path: "/a.txt", contents: Data("bad".utf8), overwrite: true)
            }
        }
    }

    @Test("an assembly whose answer is lost has happened once")
    func lostAnswer() async throws {
        try await withAlice { alice, server in
            try await alice.writeContents(path: "/a.txt", contents: Data("old".utf8))
            server.inject(NextcloudFault(.losesAnswer, method: "MOVE", path: ".file"))
            try await alice.writeContents(path: "/a.txt", contents: Data("new".utf8), overwrite: true)
            #expect(server.node("a.txt")?.content == Data("new".utf8))
            #expect(server.versions("a.txt").count == 1)
        }
    }

    @Test("a quota is out of space before much is sent")
    func quota() async throws {
        try await withAlice { alice, server in
            try await alice.writeContents(path: "/a.txt", contents: Data("old".utf8))
            server.setQuota(1_000)
            let error = await #expect(throws: CocoaError.self) {
                try await alice.writeContents(
                    path: "/a.txt",
                    contents: Data(repeating: 1, count: 5_000),
                    overwrite: true
                )
            }
            #expect(error?.code == .fileWriteOutOfSpace)
            #expect(server.uploads.isEmpty)
            #expect(server.node("a.txt")?.content == Data("old".utf8))
        }
    }

    @Test("500 small files go in a few bulk requests, each verified")
    func bulk() async throws {
        try await withAlice { alice, server in
            try await alice.create(folder: "many", at: "/")
            let files = (0..<500).map { index in
                BulkFile(
                    path: "/many/f\(index) é.txt",
                    contents: Data("content \(index)".utf8),
                    modifiedDate: Date(timeIntervalSince1970: 1_700_000_000)
                )
            }
            server.forget()
            let results = try await alice.writeFiles(files, overwrite: false)
            #expect(results.count == 500)
            #expect(server.count("POST") == 5 && server.count("PUT") == 0)
            for (file, result) in zip(files, results) {
                let written = try #require(try result.get())
                let node = server.node(file.path.string)
                #expect(node?.content == file.contents && node?.modified == 1_700_000_000)
                #expect(written.path == file.path && written.id == node.map { String($0.id) })
            }
        }
    }

    @Test("files of a bulk that exist, or that fail, are written by themselves")
    func bulkFailures() async throws {
        try await withAlice { alice, server in
            try await alice.writeContents(path: "/there.txt", contents: Data("old".utf8))
            server.inject(NextcloudFault(.answer(423), method: "BULK", path: "/b.txt"))
            let files = ["/a.txt", "/b.txt", "/there.txt", "/nope/c.txt"].map {
                BulkFile(path: ItemPath(stringLiteral: $0), contents: Data("new".utf8))
            }
            let results = try await alice.writeFiles(files, overwrite: false)
            #expect(try results[0].get() != nil && results[1].get() != nil)
            #expect(server.node("b.txt")?.content == Data("new".utf8))
            let refusal = #expect(throws: CocoaError.self) { try results[2].get() }
            #expect(refusal?.code == .fileWriteFileExists)
            #expect(server.node("there.txt")?.content == Data("old".utf8))
            #expect(throws: (any Error).self) { try results[3].get() }
            let replaced = try await alice.writeFiles([files[2], files[0]], overwrite: true)
            #expect(try replaced[0].get() != nil)
            #expect(server.versions("there.txt").count == 1)
        }
    }

    @Test("files that may be replaced go in bulks without a look, and keep what belongs to them")
    func bulkReplacing() async throws {
        try await withAlice { alice, server in
            let paths = (0..<200).map { ItemPath.root.appending("f\($0)") }
            let date = Date(timeIntervalSince1970: 1_700_000_000)
            func files(_ text: String, _ seconds: TimeInterval) -> [BulkFile] {
                paths.map { BulkFile(path: $0, contents: Data(text.utf8), modifiedDate: date + seconds) }
            }
            for result in try await alice.writeFiles(files("one", 0), overwrite: true) { _ = try result.get() }
            try await alice.setFavorite(true, of: "/f7")
            let before = try #require(server.node("f7"))
            server.forget()
            for result in try await alice.writeFiles(files("two", 1), overwrite: true) { _ = try result.get() }
            #expect(server.requests.map(\.method) == [.post, .post])
            let after = try #require(server.node("f7"))
            #expect(after.id == before.id && after.isFavorite && after.eTag != before.eTag)
            #expect(after.content == Data("two".utf8))
            #expect(server.versions("f7").map(\.content) == [Data("one".utf8)])
        }
    }

    @Test("a bulk that the server takes for broken has stored its first files, which is no reason to refuse them")
    func brokenBulk() async throws {
        try await withAlice { alice, server in
            let files = (0..<50).map { BulkFile(path: ItemPath.root.appending("f\($0)"), contents: Data("\($0)".utf8)) }
            server.inject(NextcloudFault(.losesAnswer, method: "POST", path: "/bulk"))
            for result in try await alice.writeFiles(files, overwrite: false) { #expect(try result.get() != nil) }
            // They were there already, so each was compared, and none was sent twice.
            #expect(server.count("PATCH") == 50)
            #expect(server.versions("f7").isEmpty)
            // Files that somebody else has written meanwhile are in the way, and stay.
            let others = files.map { BulkFile(path: $0.path, contents: Data("x".utf8)) }
            let refused = try await alice.writeFiles(others, overwrite: false)
            #expect(refused.allSatisfy { (try? $0.get()) == nil })
            #expect(server.node("f7")?.content == Data("7".utf8))
        }
    }

    @Test(
        "a bulk that the server has no time for is sent again, without what it has stored of it",
        arguments: [NextcloudFault.Effect.answer(503), .answer(429), .regrets(503)]
    )
    func busyServer(effect: NextcloudFault.Effect) async throws {
        try await withAlice { alice, server in
            let files = (0..<50).map { BulkFile(path: ItemPath.root.appending("f\($0)"), contents: Data("\($0)".utf8)) }
            server.inject(NextcloudFault(effect, method: "POST", path: "/bulk", times: 2))
            server.forget()
            for result in try await alice.writeFiles(files, overwrite: false) { #expect(try result.get() != nil) }
            for (index, file) in files.enumerated() {
                #expect(server.node("f\(index)")?.content == file.contents)
                #expect(server.versions("f\(index)").isEmpty)
            }
            if case .answer = effect { #expect(server.count("POST") == 3 && server.count("PUT") == 0) }
        }
    }

    @Test("a bulk ends no session, so that the password is worked out once")
    func bulkSession() async throws {
        try await withAlice { alice, server in
            for number in 0..<5 {
                let files = (0..<10).map { BulkFile(path: "/\(number) \($0)", contents: Data("\($0)".utf8)) }
                for result in try await alice.writeFiles(files, overwrite: false) { #expect(try result.get() != nil) }
            }
            #expect(server.count("POST") == 5 && server.slowLogins <= 2)
        }
    }

    @Test("two names that the server takes for one don't replace each other in a bulk")
    func equalNames() async throws {
        try await withAlice { alice, server in
            let files = [
                BulkFile(path: "/\u{E9}", contents: Data("composed".utf8)),
                BulkFile(path: "/e\u{301}", contents: Data("decomposed".utf8)),
                BulkFile(path: "/other", contents: Data("other".utf8)),
            ]
            let results = try await alice.writeFiles(files, overwrite: false)
            #expect(try results[0].get() != nil && results[2].get() != nil)
            #expect((try? results[1].get()) == nil)
            #expect(server.node("\u{E9}")?.content == Data("composed".utf8))
        }
    }

    @Test("a server without bulk uploads gets the files one by one")
    func withoutBulk() async throws {
        try await withAlice {
            $0.hasBulkUpload = false
        } perform: { alice, server in
            #expect(alice.bulkLimits == nil)
            let files = (0..<4).map { BulkFile(path: "/f\($0)", contents: Data("x".utf8)) }
            let results = try await alice.writeFiles(files, overwrite: false)
            #expect(results.allSatisfy { (try? $0.get()) != nil })
            #expect(server.count("PUT") == 4)
        }
    }
}
