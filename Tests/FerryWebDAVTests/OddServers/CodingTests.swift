import FerryCore
import FerryTestServers
import Foundation
import HTTPTypes
import Testing

@testable import FerryWebDAV

/// Issue 24: packed contents that nobody has asked for, and codings that are none.
@Suite("A content coding that nobody has asked for")
struct CodingTests {
    private static let text = String(repeating: "all work and no play ", count: 2_000)

    @Test(
        "is undone where contents are packed, and left where the file itself is",
        arguments: [
            WebDAVOddities.Coding.packed(tellsLength: true), .packed(tellsLength: false), .named("gzip"), .named("br"),
            .named("x-gzip, br"),
        ]
    )
    func contents(coding: WebDAVOddities.Coding) async throws {
        try await withOddServer { server, files in
            server.plant(["/a.txt": Self.text, "/small": "x"])
            server.change { $0.coding = coding }
            let bytes = Data(Self.text.utf8)
            #expect(try await files.read("/a.txt") == bytes)
            #expect(try await files.read("/a.txt", .from(100)) == bytes.dropFirst(100))
            #expect(try await files.read("/a.txt", .bytes(10..<20)) == bytes[10..<20])
            #expect(try await files.read("/a.txt", .last(7)) == bytes.suffix(7))
            #expect(try await files.read("/small") == Data("x".utf8))
            let stream = try await files.contentStream(path: "/a.txt", range: .all, reporting: nil)
            #expect(stream.facts.size == Int64(bytes.count))
        }
    }

    @Test("is what a packed file is called, which stays as it is", arguments: ["gzip", "x-gzip"])
    func packedFile(coding: String) async throws {
        try await withOddServer { server, files in
            // The beginning of any file of gzip, and nothing that could be unpacked.
            let bytes: [UInt8] = [0x1F, 0x8B, 8, 0] + Array(repeating: 7, count: 5_000)
            server.plant("/a.tar.gz", bytes)
            server.change { $0.coding = .named(coding) }
            let all = try await files.read("/a.tar.gz")
            #expect(all == Data(bytes))
            #expect(try await files.read("/a.tar.gz", .from(3)) == Data(bytes.dropFirst(3)))
            #expect(try await files.contents(path: "/a.tar.gz") == Data(bytes))
        }
    }

    @Test("that makes no sense is an error that names it, after few requests")
    func garbage() async throws {
        try await withOddServer { server, files in
            server.plant(["/a.txt": Self.text])
            server.change { $0.coding = .garbage }
            let error = await failure { try await files.read("/a.txt") }
            #expect((error as? URLError)?.code == .cannotDecodeContentData)
            #expect(error?.words.contains("'gzip'") == true, "\(error?.words ?? "")")
            #expect(server.methods.count { $0 == "GET" } <= 2)
        }
    }

    @Test("on answers in XML, and on errors, is not believed", arguments: ["x-gzip", "gzip", "br", "deflate"])
    func falseCoding(coding: String) async throws {
        try await withOddServer { server, files in
            server.plant(["/a.gz": "a", "/b/": ""])
            server.change { $0.falseCoding = coding }
            #expect(try await files.contentsOfDirectory(path: "/").count == 2)
            #expect(try await files.attributesOfItem(path: "/a.gz").size == 1)
            try await files.moveItem(path: "/a.gz", to: "/b/c.gz")
            try await files.write("d", to: "/d.gz")
            try await files.removeItem(path: "/b/c.gz")
            let missing = await failure { try await files.read("/gone.gz") }
            #expect((missing as? CocoaError)?.code == .fileNoSuchFile)
            #expect(server.names == ["/b", "/d.gz"])
        }
    }
}
