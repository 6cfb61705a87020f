import FerryCore
import FerryTestServers
import FerryWebDAV
import Foundation
import Testing

@Suite("A lock of ours")
struct LockFieldTests {
    /// The last request of a method, and what its `If` field says, with the server's address left out.
    private func shown(_ method: String, _ server: DAVServer, _ files: WebDAVFileProvider) throws -> String? {
        let request = try #require(server.requests.last { $0.method == method })
        let base = try #require(files.baseURL).absoluteString
        return request["If"]?.replacing(base, with: "~/")
    }

    @Test("on a file is shown to whoever changes the file")
    func file() async throws {
        try await withDAVServer { server, files async throws in
            server.plant(["/a": "a", "/b": "b"])
            let lock = try await files.lock(path: "/a", options: FileLockOptions())
            try await files.writeContents(path: "/a", contents: Data("new".utf8), overwrite: true)
            #expect(try shown("PUT", server, files) == "(<\(lock.token)>)")
            // A copy changes nothing of its source.
            try await files.copyItem(path: "/a", to: "/c", overwrite: false)
            #expect(try shown("COPY", server, files) == nil)
            try await files.copyItem(path: "/b", to: "/a", overwrite: true)
            #expect(try shown("MOVE", server, files) == "<~/a> (<\(lock.token)>)")
            _ = try await files.connection.setModifiedDate(Date(), of: "/a", by: .lastModified)
            #expect(try shown("PROPPATCH", server, files) == "(<\(lock.token)>)")
            try await files.removeItem(path: "/a")
            #expect(try shown("DELETE", server, files) == "<~/a> (<\(lock.token)>)")
        }
    }

    @Test("on a folder is shown to whoever changes what is in it")
    func folder() async throws {
        try await withDAVServer { server, files async throws in
            server.plant(["/f/": "", "/f/a": "a", "/b": "b"])
            let lock = try await files.lock(path: "/f", options: FileLockOptions())
            let field = "<~/f/> (<\(lock.token)>)"
            try await files.writeContents(path: "/f/n", contents: Data("new".utf8))
            #expect(try shown("PUT", server, files) == field)
            try await files.create(folder: "g", at: "/f")
            #expect(try shown("MKCOL", server, files) == field)
            try await files.copyItem(path: "/b", to: "/f/c", overwrite: false)
            #expect(try shown("COPY", server, files) == field)
            #expect(try shown("MOVE", server, files) == field)
            try await files.moveItem(path: "/f/a", to: "/a", overwrite: false)
            #expect(try shown("MOVE", server, files) == field)
            try await files.removeItem(path: "/f/c")
            #expect(try shown("DELETE", server, files) == field)
            _ = try await files.connection.setModifiedDate(Date(), of: "/f/n", by: .win32)
            #expect(try shown("PROPPATCH", server, files) == field)
            #expect(server.names == ["/a", "/b", "/f", "/f/g", "/f/n"])
        }
    }

    @Test("on the source and one on the target are both shown, each with its own address")
    func both() async throws {
        try await withDAVServer { server, files async throws in
            server.plant(["/f/": "", "/f/a": "a", "/g/": ""])
            let source = try await files.lock(path: "/f", options: FileLockOptions())
            let target = try await files.lock(path: "/g", options: FileLockOptions())
            try await files.moveItem(path: "/f/a", to: "/g/a", overwrite: false)
            #expect(try shown("MOVE", server, files) == "<~/f/> (<\(source.token)>) <~/g/> (<\(target.token)>)")
            #expect(server.names == ["/f", "/g", "/g/a"])
        }
    }

    @Test("is shown together with the eTag that must hold")
    func eTag() async throws {
        try await withDAVServer { server, files async throws in
            server.plant(["/a": "a"])
            let lock = try await files.lock(path: "/a", options: FileLockOptions())
            let options = WriteOptions(ifMatch: "\"x\"")
            try await files.writeStream(path: "/a", contents: DataChunks(Data("new".utf8)), length: 3, options: options)
            #expect(try shown("PUT", server, files) == "(<\(lock.token)> [\"x\"])")
        }
    }

    @Test("that is gone, or was on something that is gone, is shown no more")
    func gone() async throws {
        try await withDAVServer { server, files async throws in
            server.plant(["/a": "a", "/b": "b"])
            let lock = try await files.lock(path: "/a", options: FileLockOptions())
            try await files.unlock(lock)
            try await files.writeContents(path: "/a", contents: Data("new".utf8), overwrite: true)
            #expect(try shown("PUT", server, files) == nil)
            _ = try await files.lock(path: "/b", options: FileLockOptions())
            try await files.removeItem(path: "/b")
            try await files.writeContents(path: "/b", contents: Data("new".utf8))
            #expect(try shown("PUT", server, files) == nil)
        }
    }

    @Test(
        "of somebody else is an error that says who it is",
        arguments: ["write", "overwrite", "remove", "move", "copy", "folder"]
    )
    func others(change: String) async throws {
        try await withDAVServer { server, files async throws in
            server.plant(["/f/": "", "/f/a": "a", "/b": "b"])
            server.lock("/f", owner: "<d:href>mailto:alice@example.org</d:href>", isDeep: true)
            let before = server.names
            let error = await #expect(throws: CocoaError.self) {
                switch change {
                case "write": try await files.writeContents(path: "/f/n", contents: Data("n".utf8))
                case "overwrite": try await files.writeContents(path: "/f/a", contents: Data("n".utf8), overwrite: true)
                case "remove": try await files.removeItem(path: "/f/a")
                case "move": try await files.moveItem(path: "/b", to: "/f/b", overwrite: false)
                case "copy": try await files.copyItem(path: "/b", to: "/f/b", overwrite: false)
                default: try await files.create(folder: "g", at: "/f")
                }
            }
            #expect(error?.code == .fileWriteNoPermission)
            #expect(error?.serverStatus == 423)
            #expect(error?.words.contains("alice@example.org") == true, "\(error?.words ?? "")")
            #expect(server.names == before)
            #expect(server.text("/f/a") == "a")
        }
    }
}
