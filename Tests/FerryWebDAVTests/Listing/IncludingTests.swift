import FerryCore
import FerryTestServers
import Foundation
import Testing

@testable import FerryWebDAV

@Suite("A list of what is needed")
struct IncludingTests {
    @Test("asks for these properties, and has no others")
    func including() async throws {
        try await withDAVServer { server, files async throws in
            server.plant(["/dir/": "", "/dir/a": "abc"])
            let items = try await files.contentsOfDirectory(path: "/dir", including: [.fileSizeKey, .nameKey])
            #expect(items.map(\.name) == ["a"] && items.map(\.size) == [3])
            #expect(items[0].modifiedDate == nil && items[0].eTag == nil && !items[0].isDirectory)
            let body = String(decoding: try #require(server.requests.last?.body), as: UTF8.self)
            #expect(body.contains("resourcetype") && body.contains("getcontentlength"))
            #expect(!body.contains("getlastmodified") && !body.contains("getetag"))
            _ = try await files.attributesOfItem(path: "/dir/a", including: [.contentModificationDateKey])
            let asked = String(decoding: try #require(server.requests.last?.body), as: UTF8.self)
            #expect(asked.contains("getlastmodified") && !asked.contains("getcontentlength"))
            #expect(try await files.attributesOfItem(path: "/dir/a", including: []).size == 3)
        }
    }

    @Test("begins with the folder itself if that is wanted")
    func includesSelf() async throws {
        try await withDAVServer { server, files async throws in
            server.plant(["/dir/": "", "/dir/a": "abc"])
            let all = try await files.contentsOfDirectory(path: "/dir", includeSelf: true)
            #expect(all.map(\.path) == ["/dir", "/dir/a"])
            #expect(try await files.contentsOfDirectory(path: "/dir", includeSelf: false).map(\.path) == ["/dir/a"])
            let items = await withCheckedContinuation { continuation in
                files.contentsOfDirectory(path: "/dir", including: [.fileSizeKey], includeSelf: true) { items, _ in
                    continuation.resume(returning: items)
                }
            }
            #expect(items.map(\.path) == ["/dir", "/dir/a"])
            await #expect(throws: CocoaError.self) {
                try await files.contentsOfDirectory(path: "/gone", including: [.fileSizeKey], includeSelf: true)
            }
        }
    }
}
