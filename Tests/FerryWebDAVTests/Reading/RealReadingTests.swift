import FerryCore
import FerryTestServers
import FerryWebDAV
import Foundation
import Testing

@Suite("Contents from real servers")
struct RealReadingTests {
    @Test("are read whole and in parts, and folders have none", arguments: RealServerKind.allCases)
    func reading(_ kind: RealServerKind) async throws {
        let server = try await RealServer.shared(kind)
        let place = try server.makePlace(server.http)
        defer { place.remove() }
        let credential = FileProviderCredential(user: server.user, secret: .password(server.password))
        let files = try WebDAVFileProvider(baseURL: place.url, credential: credential)
        try place.write(Data("0123456789".utf8), to: "ten")
        // The eTag of a file that is younger than two seconds isn't reported.
        try place.setModifiedDate(Date(timeIntervalSinceNow: -3_600), of: "ten")
        try place.write(Data(), to: "empty")
        try place.write(Data("<p>".utf8), to: "page.html")
        try place.makeFolder("folder")
        try await files.waitUntilThere()
        func read(_ path: ItemPath, _ range: ByteRange = .all) async throws -> String {
            let stream = try await files.contentStream(path: path, range: range, reporting: nil)
            return String(decoding: try await stream.collect(), as: UTF8.self)
        }
        #expect(try await read("/ten") == "0123456789")
        #expect(try await read("/ten", .bytes(2..<5)) == "234")
        #expect(try await read("/ten", .from(7)) == "789")
        #expect(try await read("/ten", .last(2)) == "89")
        #expect(try await read("/ten", .bytes(8..<20)) == "89")
        #expect(try await read("/ten", .bytes(20..<30)) == "")
        #expect(try await read("/ten", .bytes(4..<4)) == "")
        #expect(try await read("/empty") == "")
        #expect(try await read("/empty", .bytes(0..<5)) == "")
        #expect(try await read("/page.html") == "<p>")
        let facts = try await files.contentStream(path: "/ten", range: .all, reporting: nil).facts
        let item = try await files.attributesOfItem(path: "/ten")
        #expect(facts.size == item.size)
        #expect(facts.modifiedDate == item.modifiedDate)
        if let eTag = item.eTag { #expect(facts.eTag == eTag) }
        var refused = [("/folder", 256), ("/", 256), ("/gone", 4), ("/gone/below", 4)]
        // lighttpd takes what is below a file for words to the file, and sends the file.
        if kind != .lighttpd { refused.append(("/ten/below", 4)) }
        for (path, code) in refused {
            let error = await #expect(throws: (any Error).self, "\(path)") {
                try await read(ItemPath(stringLiteral: path))
            }
            #expect(error.map { ($0 as NSError).code } == code, "\(path)")
        }
    }
}
