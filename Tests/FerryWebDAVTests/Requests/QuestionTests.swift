import FerryCore
import FerryHTTP
import FerryTestServers
import FerryWebDAV
import Foundation
import Testing

@Suite("A question for properties")
struct QuestionTests {
    @Test("always says how deep it goes, and names what it wants", arguments: [WebDAVServerKind.apache, .unknown])
    func shape(kind: WebDAVServerKind) async throws {
        try await withDAVServer(kind) { server, files async throws in
            server.plant(["/f/": "", "/f/a": "a", "/g/": "", "/g/a": "old"])
            _ = try await files.contentsOfDirectory(path: "/")
            _ = try await files.attributesOfItem(path: "/f/a")
            _ = try await files.storageProperties()
            _ = try await files.isReachable()
            _ = try await files.locks(on: "/f")
            for try await _ in files.searchFiles(path: "/", recursive: true, query: .all).pages {}
            try await files.writeContents(path: "/n", contents: Data("new".utf8))
            try await files.copyItem(path: "/f", to: "/g", overwrite: true)
            try await files.moveItem(path: "/n", to: "/m", overwrite: false)
            try await files.removeItem(path: "/g")
            let questions = server.requests.filter { $0.method == "PROPFIND" }
            #expect(questions.count > 10)
            for question in questions {
                #expect(["0", "1"].contains(question["Depth"]))
                #expect(question["Content-Type"]?.hasPrefix("application/xml") == true)
                let document = try MultistatusParser.tree(of: Data(question.body))
                #expect(document.name.name == "propfind")
                #expect(document.first("prop")?.children.isEmpty == false)
                #expect(document.children.count == 1)
            }
        }
    }

    /// A provider that asks for more than servers tell.
    private struct Curious: WebDAVProvider {
        static let type = "curious"
        static let number = WebDAVPropertyName("fileid", namespace: "http://owncloud.org/ns")

        let connection: WebDAVConnection
        let credential: FileProviderCredential? = nil
        var additionalProperties: [WebDAVPropertyName] { [Self.number] }

        func complete(_ item: inout FileObject, with properties: WebDAVProperties) {
            item.id = properties[Self.number]?.text
        }
    }

    @Test("that a server doesn't answer leaves an item an item all the same")
    func unanswered() async throws {
        try await withDAVServer { server, files async throws in
            server.plant(["/a": "a", "/b": "b"])
            server.whim { request in
                guard request.method == "PROPFIND", request["Depth"] == "1" else { return nil }
                let number = "<x:fileid xmlns:x=\"http://owncloud.org/ns\">7</x:fileid>"
                return .answer(
                    .multistatus(
                        MultistatusText.response("/dav/", MultistatusText.isFolder),
                        MultistatusText.response("/dav/a", "<d:resourcetype/>" + number),
                        MultistatusText.response("/dav/b")
                    )
                )
            }
            let items = try await Curious(connection: files.connection).contentsOfDirectory(path: "/")
            #expect(items.map(\.name) == ["a", "b"])
            #expect(items.map(\.id) == ["7", nil])
            let body = try #require(server.requests.last?.body)
            #expect(String(decoding: body, as: UTF8.self).contains("fileid"))
        }
    }
}
