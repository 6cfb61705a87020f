import FerryCore
import FerryTestServers
import FerryWebDAV
import Foundation
import Testing

@Suite("What an operation costs")
struct RequestCountTests {
    /// The requests of each operation on a server of a kind that is known already: O for `OPTIONS`, L for a look.
    struct Row: Sendable {
        let kind: WebDAVServerKind
        let new: String
        let over: String
        let folder: String
        let copy: String
        let move: String
        let moveOver: String
        let remove: String
    }

    private static let rows = [
        Row(
            kind: .apache,
            new: "PUT",
            over: "PUT",
            folder: "MKCOL",
            copy: "L COPY MOVE",
            move: "L MOVE",
            moveOver: "L L MOVE",
            remove: "L DELETE"
        ),
        Row(
            kind: .nginx,
            new: "PUT MOVE",
            over: "PUT",
            folder: "MKCOL",
            copy: "L COPY MOVE",
            move: "L MOVE",
            moveOver: "L L MOVE",
            remove: "L DELETE"
        ),
        Row(
            kind: .lighttpd,
            new: "PUT",
            over: "PUT",
            folder: "MKCOL",
            copy: "L L L COPY MOVE",
            move: "L L L MOVE",
            moveOver: "L L MOVE",
            remove: "L DELETE"
        ),
        Row(
            kind: .wsgidav,
            new: "PUT L MOVE",
            over: "L PUT L MOVE",
            folder: "MKCOL",
            copy: "L COPY MOVE",
            move: "L MOVE",
            moveOver: "L L MOVE",
            remove: "L DELETE"
        ),
        Row(
            kind: .golang,
            new: "PUT L MOVE",
            over: "L PUT L MOVE",
            folder: "L L MKCOL",
            copy: "L COPY MOVE",
            move: "L MOVE",
            moveOver: "L L MOVE",
            remove: "L DELETE"
        ),
        Row(
            kind: .unknown,
            new: "L L PUT L MOVE",
            over: "L PUT L MOVE",
            folder: "L L MKCOL",
            copy: "L L L COPY MOVE",
            move: "L L L MOVE",
            moveOver: "L L MOVE",
            remove: "L DELETE"
        ),
    ]

    @Test("is so many requests, and no more", arguments: rows)
    func table(row: Row) async throws {
        try await withDAVServer(row.kind) { server, files async throws in
            let cost = { (work: () async throws -> Void) async throws -> String in
                server.forget()
                try await work()
                return server.methods
                    .map { $0 == "PROPFIND" ? "L" : $0 == "OPTIONS" ? "O" : $0 }
                    .joined(separator: " ")
            }
            let data = Data("some text".utf8)
            server.plant(["/old": "old", "/source": "s", "/gone": "g", "/target": "t", "/other": "o"])
            #expect(try await cost { try await files.writeContents(path: "/new", contents: data) } == row.new)
            #expect(
                try await cost { try await files.writeContents(path: "/old", contents: data, overwrite: true) }
                    == row.over
            )
            #expect(try await cost { try await files.create(folder: "f", at: "/") } == row.folder)
            #expect(
                try await cost { try await files.copyItem(path: "/source", to: "/copy", overwrite: false) } == row.copy
            )
            #expect(
                try await cost { try await files.moveItem(path: "/source", to: "/moved", overwrite: false) } == row.move
            )
            #expect(
                try await cost { try await files.moveItem(path: "/other", to: "/target", overwrite: true) }
                    == row.moveOver
            )
            #expect(try await cost { try await files.removeItem(path: "/gone") } == row.remove)
            #expect(server.names == ["/copy", "/f", "/moved", "/new", "/old", "/target"])
            #expect(server.text("/new") == "some text")
            #expect(server.text("/old") == "some text")
            #expect(server.text("/target") == "o")
        }
    }

    @Test("an upload is a write, and what the server is, is asked once", arguments: [WebDAVServerKind.apache, .golang])
    func upload(kind: WebDAVServerKind) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "ferry-\(UUID().uuidString)")
        try Data("content".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try await withDAVServer(kind, discovering: false) { server, files async throws in
            try await files.copyItem(localFile: file, to: "/a", overwrite: false)
            try await files.copyItem(localFile: file, to: "/b", overwrite: false)
            let one = kind == .apache ? ["PUT"] : ["PUT", "PROPFIND", "MOVE"]
            #expect(server.methods == ["OPTIONS"] + one + one)
            #expect(server.text("/a") == "content")
        }
    }
}
