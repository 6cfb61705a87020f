import FerryCore
import FerryTestServers
import FerryWebDAV
import Foundation
import HTTPTypes
import Synchronization
import Testing

@Suite("A change on a server")
struct OperationTests {
    private static let kinds: [WebDAVServerKind] = [.apache, .nginx, .lighttpd, .wsgidav, .golang, .unknown]

    private func partly(_ href: String, _ status: String, rest: String = "") -> LoopbackAnswer {
        .multistatus(
            "<d:response><d:href>\(href)</d:href><d:status>HTTP/1.1 \(status)</d:status>\(rest)</d:response>"
        )
    }

    // MARK: Of many parts

    @Test("of which a part failed is an error that names the part", arguments: kinds, ["DELETE", "MOVE", "COPY"])
    func parts(kind: WebDAVServerKind, method: String) async throws {
        try await withDAVServer(kind) { server, files async throws in
            server.plant(["/f/": "", "/f/a": "a"])
            server.whim { request in
                guard request.method == method else { return nil }
                // A failed part is reported under its own name, or under the one that the copy would have had.
                return .answer(
                    .multistatus(
                        "<d:response><d:href>/dav/f/</d:href><d:status>HTTP/1.1 424 Failed Dependency</d:status></d:response>",
                        """
                        <d:response><d:href>/dav/f/a</d:href><d:status>HTTP/1.1 403 Forbidden</d:status>\
                        <d:responsedescription>not this one</d:responsedescription></d:response>
                        """
                    )
                )
            }
            let error = await failure {
                switch method {
                case "DELETE": try await files.removeItem(path: "/f")
                case "MOVE": try await files.moveItem(path: "/f", to: "/g", overwrite: false)
                default: try await files.copyItem(path: "/f", to: "/g", overwrite: false)
                }
            }
            #expect((error as? CocoaError)?.code == .fileWriteNoPermission)
            #expect(error?.path == "/f/a")
            #expect(error?.serverStatus == 403)
            #expect(error?.serverAnswer?.serverDescription == "not this one")
            #expect(server.methods.count { $0 == method } == 1)
        }
    }

    @Test("that moves a folder into another is made only where all items show", arguments: kinds)
    func merging(kind: WebDAVServerKind) async throws {
        try await withDAVServer(kind) { server, files async throws in
            server.plant(["/f/": "", "/f/a": "a", "/g/": "", "/g/b": "b"])
            if kind == .nginx || kind == .unknown {
                let error = await failure { try await files.moveItem(path: "/f", to: "/g", overwrite: true) }
                #expect((error as? CocoaError)?.code == .featureUnsupported)
                #expect(server.text("/f/a") == "a" && server.text("/g/a") == nil)
                #expect(!server.methods.contains("DELETE") && !server.methods.contains("MOVE"))
            } else {
                try await files.moveItem(path: "/f", to: "/g", overwrite: true)
                #expect(server.text("/f/a") == nil && server.text("/g/a") == "a" && server.text("/g/b") == "b")
            }
        }
    }

    @Test("whose part has a temporary name is told by the name that it would have had")
    func temporaryPart() async throws {
        try await withDAVServer { server, files async throws in
            server.plant(["/f/": "", "/f/a": "a"])
            server.whim { [self] request in
                guard request.method == "COPY", let target = request["Destination"].flatMap({ URL(string: $0) }) else {
                    return nil
                }
                return .answer(partly(target.path(percentEncoded: true) + "a", "507 Insufficient Storage"))
            }
            let error = await failure { try await files.copyItem(path: "/f", to: "/g", overwrite: false) }
            #expect((error as? CocoaError)?.code == .fileWriteOutOfSpace)
            #expect(error?.path == "/g/a")
        }
    }

    @Test("of which every part succeeded is a success, and one that breaks off is not")
    func whole() async throws {
        try await withDAVServer { server, files async throws in
            server.plant(["/f/": "", "/f/a": "a", "/g/": ""])
            server.whim { [self] request in
                request.method == "DELETE" ? .doneAndAnswer(partly("/dav/f/a", "204 No Content")) : nil
            }
            try await files.removeItem(path: "/f")
            server.whim { request in
                request.method == "DELETE"
                    ? .answer(LoopbackAnswer(HTTPResponse.Status(code: 207), text: "<d:multistatus xmlns:d=\"DAV:\">"))
                    : nil
            }
            let error = await failure { try await files.removeItem(path: "/g") }
            #expect((error as? URLError)?.code == .cannotParseResponse)
        }
    }

    @Test("with a hundred thousand parts is read to the first that failed")
    func manyParts() async throws {
        let good = "<d:response><d:href>/dav/f/x</d:href><d:status>HTTP/1.1 204 No</d:status></d:response>"
        let bad = "<d:response><d:href>/dav/f/bad</d:href><d:status>HTTP/1.1 403 No</d:status></d:response>"
        let answer = LoopbackAnswer.multistatus(String(repeating: good, count: 100_000), bad)
        try await withDAVServer { server, files async throws in
            server.plant(["/f/": ""])
            server.whim { $0.method == "DELETE" ? .answer(answer) : nil }
            #expect(await failure { try await files.removeItem(path: "/f") }?.path == "/f/bad")
        }
    }

    // MARK: Lost answers

    @Test("that was done is no failure because its answer is lost, and isn't done twice", arguments: kinds)
    func lostAnswers(kind: WebDAVServerKind) async throws {
        try await withDAVServer(kind) { server, files async throws in
            server.plant(["/a": "a", "/f/": "", "/f/x": "x", "/gone": "g"])
            server.whim { ["MOVE", "DELETE"].contains($0.method) ? .doneAndCut : nil }
            try await files.moveItem(path: "/a", to: "/b", overwrite: false)
            try await files.moveItem(path: "/f", to: "/g", overwrite: false)
            try await files.removeItem(path: "/gone")
            #expect(server.names == ["/b", "/g", "/g/x"])
            #expect(server.methods.count { $0 == "MOVE" } == 2)
            #expect(server.methods.count { $0 == "DELETE" } == 1)
        }
    }

    @Test("that nobody can have done is a failure: what is gone on both sides was not moved by us")
    func goneOnBothSides() async throws {
        try await withDAVServer { server, files async throws in
            server.plant(["/a": "a"])
            server.whim { request in
                guard request.method == "MOVE" else { return nil }
                server.state.withLock { $0.items["/a"] = nil }
                return .cut
            }
            let error = await failure { try await files.moveItem(path: "/a", to: "/b", overwrite: false) }
            #expect((error as? URLError)?.code == .networkConnectionLost)
            #expect(server.methods.count { $0 == "MOVE" } == 1)
        }
    }

    @Test("that was not done is done once more, and then is a failure", arguments: ["MOVE", "DELETE"])
    func notDone(method: String) async throws {
        try await withDAVServer { server, files async throws in
            server.plant(["/a": "a"])
            server.whim { $0.method == method ? .cut : nil }
            let error = await failure {
                if method == "MOVE" {
                    try await files.moveItem(path: "/a", to: "/b", overwrite: false)
                } else {
                    try await files.removeItem(path: "/a")
                }
            }
            #expect((error as? URLError)?.code == .networkConnectionLost)
            #expect(server.names == ["/a"])
            server.whim(nil)
            try await files.moveItem(path: "/a", to: "/b", overwrite: false)
            #expect(server.names == ["/b"])
        }
    }

    @Test(
        "that was not done the first time, and whose answer is lost, is done",
        arguments: ["PUT", "MKCOL", "DELETE", "MOVE"]
    )
    func doneAgain(method: String) async throws {
        try await withDAVServer { server, files async throws in
            server.plant(["/a": "a"])
            let asked = Mutex(0)
            server.whim { request in
                guard request.method == method else { return nil }
                return asked.withLock { asked in
                    asked += 1
                    return asked == 1 ? .cut : nil
                }
            }
            switch method {
            case "PUT": try await files.writeContents(path: "/n", contents: Data("new".utf8))
            case "MKCOL": try await files.create(folder: "n", at: "/")
            case "DELETE": try await files.removeItem(path: "/a")
            default: try await files.moveItem(path: "/a", to: "/n", overwrite: false)
            }
            #expect(
                server.names == (["PUT", "MKCOL"].contains(method) ? ["/a", "/n"] : method == "MOVE" ? ["/n"] : [])
            )
            #expect(asked.withLock { $0 } == 2)
        }
    }

    @Test("a copy whose answer is lost leaves nothing under a temporary name")
    func lostCopy() async throws {
        try await withDAVServer { server, files async throws in
            server.plant(["/a": "a"])
            server.whim { $0.method == "COPY" ? .doneAndCut : nil }
            let error = await failure { try await files.copyItem(path: "/a", to: "/b", overwrite: false) }
            #expect((error as? URLError)?.code == .networkConnectionLost)
            #expect(server.names == ["/a"])
        }
    }

    // MARK: Senseless operations

    @Test("that leads an item onto or into itself is refused before anything is sent", arguments: kinds)
    func ontoItself(kind: WebDAVServerKind) async throws {
        try await withDAVServer(kind) { server, files async throws in
            server.plant(["/f/": "", "/f/a": "a"])
            for overwrite in [true, false] {
                for target in ["/f", "/f/g", "/f/a/b"] as [ItemPath] {
                    #expect(
                        await failure { try await files.copyItem(path: "/f", to: target, overwrite: overwrite) } != nil
                    )
                    #expect(
                        await failure { try await files.moveItem(path: "/f", to: target, overwrite: overwrite) } != nil
                    )
                }
            }
            #expect(server.methods == [])
            #expect(server.names == ["/f", "/f/a"])
        }
    }

    @Test("into a folder that is missing is so by whatever status", arguments: [404, 409, 500, 403])
    func noParent(status: Int) async throws {
        try await withDAVServer { server, files async throws in
            server.plant(["/a": "a", "/there/": ""])
            server.whim { request in
                ["MOVE", "COPY", "MKCOL"].contains(request.method)
                    ? .answer(LoopbackAnswer(HTTPResponse.Status(code: status))) : nil
            }
            let changes: [@Sendable (ItemPath) async throws -> Void] = [
                { try await files.moveItem(path: "/a", to: $0.appending("x"), overwrite: false) },
                { try await files.copyItem(path: "/a", to: $0.appending("x"), overwrite: false) },
                { try await files.create(folder: "x", at: $0) },
            ]
            for change in changes {
                let missing = await failure { try await change("/gone") }
                #expect((missing as? CocoaError)?.code == .fileNoSuchFile)
                #expect(missing?.path == "/gone")
                let there = await failure { try await change("/there") }
                #expect(there != nil && (there as? CocoaError)?.code != .fileNoSuchFile)
            }
            #expect(server.names == ["/a", "/there"])
        }
    }
}
