import FerryTestServers
import Foundation
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
}
