import FerryCore
import FerryHTTP
import FerryTestServers
import FerryWebDAV
import Foundation
import HTTPTypes
import Testing

@Suite("Reading believes servers no more than it should")
struct ReadingQuirkTests {
    /// Names that have a meaning somewhere between us and a disk, all of which these servers keep.
    private static let oddNames = [
        "a b", "100%", "%25", "#1", "what?", "a+b", "a&b", "a;b", "\"quoted\"", "it's", "<tag>", "back\\slash", "c:d",
        "*", "caf\u{E9}", "cafe\u{301}", "🚢", " leading", "trailing ", "con", "[x]", "a|b", "a@b,c$d", "=", "~", "{}",
    ]

    @Test("odd names come back as they were sent, and stand so on disk", arguments: RealServerKind.allCases)
    func names(_ kind: RealServerKind) async throws {
        try await withRealStage(kind) { stage in
            let files = stage.provider
            // WsgiDAV would give what is moved to such a name another one.
            let forbidden = Set(files.capabilities.forbiddenCharacters)
            #expect(forbidden.isDisjoint(with: "?;") == (kind != .wsgidav))
            for name in Self.oddNames where !forbidden.isDisjoint(with: name) {
                let path = ItemPath.root.appending(name)
                let code = await cocoaCode { try await files.writeContents(path: path, contents: Data(name.utf8)) }
                #expect(code == .fileWriteInvalidFileName, "\(name)")
                #expect(
                    try await stage.ask("PUT", path.percentEncoded.dropFirst().description, body: name).status == 201
                )
            }
            for name in Self.oddNames where forbidden.isDisjoint(with: name) {
                try await files.writeContents(path: ItemPath.root.appending(name), contents: Data(name.utf8))
            }
            // As bytes: to Swift, two forms of a letter are one string.
            let bytes = Set(Self.oddNames.map { Array($0.utf8) })
            #expect(Set(try stage.place.names().map { Array($0.utf8) }) == bytes)
            #expect(Set(try await files.contentsOfDirectory(path: "/").map { Array($0.name.utf8) }) == bytes)
            for name in Self.oddNames {
                let path = ItemPath.root.appending(name)
                #expect(try await files.contents(path: path) == Data(name.utf8), "\(name)")
                #expect(try await files.attributesOfItem(path: path).size == Int64(name.utf8.count), "\(name)")
            }
        }
    }

    @Test("a listing whose XML breaks is an error, not a shorter listing")
    func brokenXML() async throws {
        try await withRealStage(.rclone) { stage in
            for name in ["a", "m%01", "z"] {
                #expect(try await stage.ask("PUT", name, body: "x").status == 201)
            }
            do {
                let names = try await stage.provider.contentsOfDirectory(path: "/").map(\.name)
                #expect(names.count == 3, "\(names)")
            } catch let error as URLError {
                #expect(error.code == .cannotParseResponse)
            }
        }
    }

    @Test(
        "a name on disk that is not UTF-8 is listed and read, or the listing fails",
        arguments: RealServerKind.allCases
    )
    func namesThatAreNotUTF8(_ kind: RealServerKind) async throws {
        try await withRealStage(kind) { stage in
            try stage.place.write(Data("plain".utf8), to: "a")
            let path = Array(stage.place.path("odd").utf8CString.dropLast()) + [-1, 0]
            close(creat(path, 0o644))
            let listing: [FileObject]
            do {
                listing = try await stage.provider.contentsOfDirectory(path: "/")
            } catch {
                #expect(kind != .apache && kind != .lighttpd, "\(error)")
                return
            }
            #expect(listing.count == 2, "\(listing.map(\.name))")
            let odd = try #require(listing.first { $0.name != "a" })
            #expect(NameEscape.bytes(ofName: odd.name) == Array("odd".utf8) + [0xFF])
            if kind == .apache { #expect(try await stage.provider.contents(path: odd.path) == Data()) }
        }
    }

    @Test("what a server says of a folder's length, or leaves empty, is nothing", arguments: RealServerKind.allCases)
    func emptyProperties(_ kind: RealServerKind) async throws {
        try await withRealStage(kind) { stage in
            try stage.place.makeFolder("folder")
            try stage.place.write(Data("abc".utf8), to: "file")
            let items = try await stage.provider.contentsOfDirectory(path: "/")
            let folder = try #require(items.first { $0.name == "folder" })
            let file = try #require(items.first { $0.name == "file" })
            #expect(folder.isDirectory && folder.size == nil)
            #expect(!file.isDirectory && file.size == 3)
            let quota = WebDAVPropertyName("quota-available-bytes")
            #expect(try await stage.provider.properties(of: "/file", [quota]).quotaAvailable == nil)
            #expect(try await stage.provider.attributesOfItem(path: "/file").size == 3)
        }
    }

    @Test("an eTag from a listing can be written against", arguments: RealServerKind.allCases)
    func eTags(_ kind: RealServerKind) async throws {
        try await withRealStage(kind) { stage in
            let files = stage.provider
            try await files.writeContents(path: "/a", contents: Data("one".utf8))
            // Made of whole seconds, an eTag proves nothing before these have passed.
            if kind == .wsgidav { try stage.place.setModifiedDate(Date(timeIntervalSinceNow: -3), of: "a") }
            let item = try await files.attributesOfItem(path: "/a")
            #expect(item.eTag == (try await files.contentsOfDirectory(path: "/").first?.eTag))
            guard files.capabilities.writesConditionally else {
                #expect(kind == .nginx)
                return
            }
            // On Apache the eTag of a file that fresh is weak, and `If-Match` would refuse it.
            let eTag = try #require(item.eTag)
            _ = try await files.writeStream(
                path: "/a",
                contents: DataChunks(Data("two".utf8)),
                options: WriteOptions(ifMatch: eTag)
            )
            #expect(stage.place.read("a") == Data("two".utf8))
            await #expect(throws: (any Error).self) {
                try await files.writeStream(
                    path: "/a",
                    contents: DataChunks(Data("three".utf8)),
                    options: WriteOptions(ifMatch: eTag)
                )
            }
            #expect(stage.place.read("a") == Data("two".utf8))
            for exchange in stage.recording.exchanges {
                #expect(exchange["If-Match"]?.contains("W/") != true)
                #expect(exchange["If-Range"]?.contains("W/") != true)
            }
        }
    }

    @Test("an edit of equal size in the same second is noticed", arguments: RealServerKind.allCases)
    func sameSecond(_ kind: RealServerKind) async throws {
        try await withRealStage(kind) { stage in
            let tracking: any FileProviderChangeTracking = stage.provider
            try stage.place.write(Data("one".utf8), to: "a")
            // The folder was listed, and whoever asked for that doesn't know yet.
            stage.recording.once {
                $0["Depth"] == "1"
            } _: {
                stage.recording.forget()
                try stage.place.write(Data("two".utf8), to: "a")
            }
            let anchor = try await tracking.currentAnchor()
            #expect(stage.place.read("a") == Data("two".utf8))
            // Where a version has whole seconds the anchor waits for the next one, and looks again: the edit is in it.
            if !stage.recording.exchanges.isEmpty { return }
            let changes = try await tracking.changes(since: anchor)
            let isNoticed = changes.changes.contains { change in
                if case .updated(let item, _) = change { item.path == "/a" } else { false }
            }
            #expect(isNoticed)
        }
    }

    @Test("a file has no eTag while an edit would leave it", arguments: RealServerKind.allCases)
    func freshETags(_ kind: RealServerKind) async throws {
        try await withRealStage(kind) { stage in
            let files = stage.provider
            let isCoarse = kind == .nginx || kind == .wsgidav
            try stage.place.write(Data("one".utf8), to: "a")
            let date = Date()
            try stage.place.setModifiedDate(date, of: "a")
            /// Returns whether the file had just changed when the last answer was made, by the server's clock.
            func wasFresh() throws -> Bool {
                let answer = try #require(stage.recording.exchanges.last?.response)
                let made = try #require(answer.headerFields[.date].flatMap { HTTPDate.parse($0) })
                return made.timeIntervalSince(date.rounded) < 2
            }
            // nginx tells eTags with contents only.
            let item = try await files.attributesOfItem(path: "/a")
            #expect((item.eTag == nil) == (try isCoarse && wasFresh() || kind == .nginx))
            let listed = try await files.contentsOfDirectory(path: "/").first
            #expect((listed?.eTag == nil) == (try isCoarse && wasFresh() || kind == .nginx))
            let facts = try await files.contentStream(path: "/a", range: .all, reporting: nil).facts
            #expect((facts.eTag == nil) == (try isCoarse && wasFresh()))
            try stage.place.setModifiedDate(Date(timeIntervalSinceNow: -3), of: "a")
            #expect((try await files.attributesOfItem(path: "/a").eTag == nil) == (kind == .nginx))
            #expect(try await files.contentStream(path: "/a", range: .all, reporting: nil).facts.eTag != nil)
        }
    }
}

extension Date {
    /// In whole seconds, as servers tell it.
    fileprivate var rounded: Date { Date(timeIntervalSince1970: timeIntervalSince1970.rounded(.down)) }
}
