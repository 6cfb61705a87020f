import FerryTestServers
import Foundation
import HTTPTypes
import Synchronization
import Testing

@Suite("Listing a remote")
struct ListingRequestTests {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    @Test("takes one question for a folder, and shows a file itself")
    func questions() async throws {
        let depths = Mutex<[String]>([])
        try await withLoopbackServer { request in
            depths.withLock { $0.append(request["Depth"] ?? "none") }
            return SmallDAV.answer(to: request.head)
        } perform: { server in
            let address = "dav" + server.url.absoluteString.dropFirst("http".count) + "dav/"
            let folder = try await sandbox.ferry("ls", address)
            #expect(folder.output == "a.txt\n", "\(folder)")
            #expect(depths.withLock { $0 } == ["1"])

            let file = try await sandbox.ferry("ls", "--json", address + "a.txt")
            #expect(file.output.contains(#""name":"a.txt","type":"file","size":5"#), "\(file)")

            let missing = try await sandbox.ferry("ls", address + "b")
            #expect(missing.code == 1 && missing.output.isEmpty && missing.errors.contains("missing"), "\(missing)")
        }
    }
    @Test("is left to a server that searches by itself, whichever it is", arguments: [true, false])
    func searching(searches: Bool) async throws {
        let methods = Mutex<[String]>([])
        try await withLoopbackServer { (request: LoopbackRequest) in
            methods.withLock { $0.append(request.head.method.rawValue) }
            switch request.head.method.rawValue {
            case "OPTIONS": return LoopbackAnswer(.ok, fields: searches ? [.dasl: "<DAV:basicsearch>"] : [:])
            case "SEARCH":
                // It has the same in the folder as `PROPFIND` would show.
                var listing = request.head
                listing.method = .init("PROPFIND") ?? .get
                return SmallDAV.answer(to: listing)
            default: return SmallDAV.answer(to: request.head)
            }
        } perform: { server in
            let address = "dav" + server.url.absoluteString.dropFirst("http".count) + "dav/"
            let explained = try await sandbox.ferry("search", address, "name CONTAINS 'a'", "--explain")
            let parts = ["name CONTAINS 'a'", "TRUEPREDICATE"]
            let (theirs, ours) = searches ? (parts[0], parts[1]) : (parts[1], parts[0])
            #expect(explained.output == "server: \(theirs)\nferry:  \(ours)\n", "\(explained)")
            methods.withLock { $0 = [] }
            let found = try await sandbox.ferry("search", address, "name CONTAINS 'z'")
            #expect(found.code == 0 && found.output.isEmpty, "what it finds is looked at again: \(found)")
            #expect(methods.withLock { $0.contains("SEARCH") } == searches)
        }
    }
}

extension HTTPField.Name {
    /// The field that names a server's query grammars (RFC 5323 §3.2).
    fileprivate static let dasl = HTTPField.Name("DASL") ?? .allow
}
