import FerryCore
import FerryTestServers
import FerryWebDAV
import Foundation
import HTTPTypes
import Testing

@Suite("Requests have the shape that every server understands")
struct RequestShapeTests {
    @Test("folders' URLs and destinations end in a slash", arguments: RealServerKind.allCases)
    func slashes(_ kind: RealServerKind) async throws {
        try await withRealStage(kind) { stage in
            let files = stage.provider
            try await files.create(folder: "a", at: "/")
            try await files.writeContents(path: "/a/file", contents: Data("x".utf8))
            stage.recording.forget()
            _ = try await files.contentsOfDirectory(path: "/a")
            try await files.create(folder: "b", at: "/")
            try await files.copyItem(path: "/a", to: "/c")
            try await files.moveItem(path: "/c", to: "/d")
            #expect(try stage.place.names() == ["a", "a/file", "b", "d", "d/file"])
            try await files.removeItem(path: "/d")
            #expect(try stage.place.names() == ["a", "a/file", "b"])

            let base = stage.proxy.url(like: stage.place.url)
            for exchange in stage.recording.exchanges {
                let method = exchange.request.method.rawValue
                guard ["MKCOL", "COPY", "MOVE", "DELETE"].contains(method) else { continue }
                #expect(exchange.request.path?.hasSuffix("/") == true, "\(exchange.line(below: base))")
                guard let destination = exchange["Destination"] else { continue }
                #expect(destination.hasPrefix(base.absoluteString), "absolute, with our own scheme and host")
                #expect(destination.hasSuffix("/"))
            }
            #expect(stage.lines.contains("PROPFIND a/"))
        }
    }

    @Test("a copy or move always says whether it may overwrite", arguments: RealServerKind.allCases)
    func overwrite(_ kind: RealServerKind) async throws {
        try await withRealStage(kind) { stage in
            let files = stage.provider
            for name in ["a", "b", "c"] {
                try await files.writeContents(path: ItemPath.root.appending(name), contents: Data(name.utf8))
            }
            #expect(await cocoaCode { try await files.moveItem(path: "/a", to: "/b") } == .fileWriteFileExists)
            #expect(await cocoaCode { try await files.copyItem(path: "/a", to: "/b") } == .fileWriteFileExists)
            try await files.copyItem(path: "/a", to: "/b", overwrite: true)
            try await files.moveItem(path: "/b", to: "/c", overwrite: true)
            #expect(try stage.place.names() == ["a", "c"])
            #expect(stage.place.read("c") == Data("a".utf8))
            let changes = stage.recording.exchanges.filter { ["COPY", "MOVE"].contains($0.request.method.rawValue) }
            #expect(changes.count >= 2)
            for change in changes { #expect(["T", "F"].contains(change["Overwrite"])) }
        }
    }

    @Test("a question about items has a depth of 0 or 1, and a type", arguments: RealServerKind.allCases)
    func depthAndType(_ kind: RealServerKind) async throws {
        try await withRealStage(kind) { stage in
            try stage.place.makeFolder("a")
            try stage.place.makeFolder("a/b")
            try stage.place.write(Data("x".utf8), to: "a/b/file")
            let files = stage.provider
            let found = try await files.searchFiles(path: "/", recursive: true, query: .all, foundItemHandler: nil)
            #expect(Set(found.map(\.path)) == ["/a", "/a/b", "/a/b/file"])
            _ = try await files.attributesOfItem(path: "/a/b/file")
            _ = try await files.storageProperties()
            _ = try await files.isReachable()
            let questions = stage.recording.exchanges.filter { $0.request.method.rawValue == "PROPFIND" }
            #expect(questions.count >= 4)
            for question in questions {
                #expect(["0", "1"].contains(question["Depth"]))
                if question.bodyLength != nil {
                    #expect(question["Content-Type"]?.hasPrefix("application/xml") == true)
                }
            }
        }
    }

    @Test(
        "a PUT has no Content-Range, and a part is asked for as one range the right way round",
        arguments: RealServerKind.allCases
    )
    func ranges(_ kind: RealServerKind) async throws {
        try await withRealStage(kind) { stage in
            let files = stage.provider
            try await files.writeContents(path: "/a", contents: Data("0123456789".utf8))
            try await files.writeContents(path: "/empty", contents: Data())
            #expect(try await files.contents(path: "/a", offset: 2, length: 3) == Data("234".utf8))
            #expect(try await files.contents(path: "/a", offset: 8, length: 100) == Data("89".utf8))
            #expect(try await files.contents(path: "/a", offset: 3) == Data("3456789".utf8))
            #expect(try await files.contents(path: "/a", offset: 4, length: 0) == Data())
            #expect(try await files.contents(path: "/a", offset: 10, length: 5) == Data())
            #expect(try await files.contents(path: "/a", offset: 99, length: 5) == Data())
            #expect(try await files.contents(path: "/empty", offset: 0, length: 5) == Data())
            #expect(try await files.contents(path: "/empty") == Data())
            for exchange in stage.recording.exchanges {
                #expect(exchange["Content-Range"] == nil)
                guard let range = exchange["Range"] else { continue }
                let match = try #require(range.wholeMatch(of: /bytes=([0-9]+)-([0-9]*)/), "\(range)")
                let first = try #require(Int(match.1))
                #expect(Int(match.2).map { $0 >= first } ?? true, "\(range)")
            }
        }
    }
}
