import FerryCore
import FerryHTTP
import FerryTestServers
import Foundation
import Testing

@Suite("The guide “Writing a provider for an HTTP API”")
struct GuideTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: folder.appending(path: path), encoding: .utf8)
    }

    @Test("shows the example's own lines, word for word")
    func verbatim() throws {
        let guide = try Self.text("../../Sources/FerryHTTP/FerryHTTP.docc/WritingAnHTTPProvider.md")
        let example = try Self.text("JSONFileProvider.swift")
        let blocks = guide.split(separator: "```swift\n", omittingEmptySubsequences: false).dropFirst()
            .compactMap { $0.split(separator: "```", omittingEmptySubsequences: false).first }
        #expect(blocks.count >= 8)
        for block in blocks { #expect(example.contains(block), "not in the example:\n\(block)") }
    }

    @Test("keeps its word: the example has at most 150 lines of code")
    func short() throws {
        let lines = try Self.text("JSONFileProvider.swift").split(separator: "\n").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        #expect(lines.count { !$0.isEmpty && !$0.hasPrefix("//") } <= 150)
    }

    @Test("shows a kind of storage that can be opened")
    func registered() async throws {
        let server = JSONFileServer()
        try await withLoopbackServer(server.answer) { loopback in
            let remote = ProviderConfiguration(type: "json", baseURL: loopback.url.appending(path: "v1/"))
            let credentials = MemoryCredentialStore([
                remote.account: FileProviderCredential(user: nil, secret: .token(JSONFileServer.token))
            ])
            let opened = try await StorageKind.json.open(remote, StorageOpening(credentials: credentials))
            let files = try #require(opened as? JSONFileProvider)
            try await server.files.writeContents(path: "/a.txt", contents: Data("a".utf8))
            #expect(try await files.contentsOfDirectory(path: "/").map(\.name) == ["a.txt"])
            await #expect(throws: URLError.self) { try await StorageKind.json.open(remote, StorageOpening()) }
            await files.invalidate()
        }
    }
}
