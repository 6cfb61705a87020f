import FerryCore
import FerryTestKit
import FerryTestServers
import FerryWebDAV
import Foundation
import Testing

@Suite("Lists of real servers")
struct RealListingTests {
    /// The files of a server's place.
    private func files(_ server: RealServer, _ place: RealServerPlace) throws -> WebDAVFileProvider {
        let credential = FileProviderCredential(user: server.user, secret: .password(server.password))
        return try WebDAVFileProvider(baseURL: place.url, credential: credential)
    }

    private static let names = [
        "a b", "100%", "%25", "#", "?", "+", "&amp;", ";", "'\"", "<>", "\\", ":", "*", "e\u{301}", "\u{E9}",
        "\u{1F600}", " ends ", "con", "[x]", "@,$", "|", "a~b", "=",
    ]

    @Test("have every item, whatever its name", arguments: RealServerKind.allCases)
    func names(_ kind: RealServerKind) async throws {
        let server = try await RealServer.shared(kind)
        let place = try server.makePlace(server.http)
        defer { place.remove() }
        let files = try files(server, place)
        for name in Self.names {
            try place.write(Data(name.utf8), to: name)
            // A file that has just changed has no eTag at some servers, and then it has.
            try place.setModifiedDate(Date(timeIntervalSinceNow: -3_600), of: name)
        }
        try place.makeFolder("folder")
        try place.makeFolder("folder/below")
        try place.write(Data([1, 2]), to: "folder/file")
        try await files.waitUntilThere()
        let items = try await files.contentsOfDirectory(path: "/")
        #expect(Set(items.map { Array($0.name.utf8) }) == Set((Self.names + ["folder"]).map { Array($0.utf8) }))
        for item in items {
            #expect(try await files.attributesOfItem(path: item.path) == item, "\(item.path)")
            guard item.isRegularFile else { continue }
            #expect(item.size == Int64(item.name.utf8.count))
            #expect(item.modifiedDate != nil)
        }
        let paths = try await files.contentsOfDirectory(path: "/folder").map(\.path)
        #expect(Set(paths) == ["/folder/below", "/folder/file"])
        #expect(try await files.contentsOfDirectory(path: "/folder/below").isEmpty)
        #expect(try await files.attributesOfItem(path: "/").isDirectory)
    }

    @Test("are errors for files and for what is missing", arguments: RealServerKind.allCases)
    func errors(_ kind: RealServerKind) async throws {
        let server = try await RealServer.shared(kind)
        let place = try server.makePlace(server.http)
        defer { place.remove() }
        let files = try files(server, place)
        try place.write(Data([1]), to: "file")
        try await files.waitUntilThere()
        func code(_ body: () async throws -> Void) async -> CocoaError.Code? {
            do {
                try await body()
                return nil
            } catch {
                return (error as? CocoaError)?.code ?? CocoaError.Code(rawValue: (error as NSError).code)
            }
        }
        #expect(await code { _ = try await files.contentsOfDirectory(path: "/file") } == .fileReadUnknown)
        #expect(await code { _ = try await files.contentsOfDirectory(path: "/gone") } == .fileNoSuchFile)
        #expect(await code { _ = try await files.contentsOfDirectory(path: "/gone/below") } == .fileNoSuchFile)
        #expect(await code { _ = try await files.contentsOfDirectory(path: "/file/below") } == .fileNoSuchFile)
        #expect(await code { _ = try await files.attributesOfItem(path: "/gone") } == .fileNoSuchFile)
        #expect(await code { _ = try await files.attributesOfItem(path: "/gone/below") } == .fileNoSuchFile)
        #expect(await code { _ = try await files.attributesOfItem(path: "/file/below") } == .fileNoSuchFile)
    }

    /// The time that rclone takes grows with the square of the number: it has 500 in usual runs.
    @Test("of 3,000 items are complete, or of 500", arguments: RealServerKind.allCases)
    func many(_ kind: RealServerKind) async throws {
        let server = try await RealServer.shared(kind)
        let place = try server.makePlace(server.http)
        defer { place.remove() }
        let names = (0..<(kind == .rclone && !Sweep.isDeep ? 500 : 3000)).map { "file \($0)" }
        try place.makeFiles(names)
        let files = try files(server, place)
        try await files.waitUntilThere()
        let items = try await files.contentsOfDirectory(path: "/")
        #expect(Set(items.map(\.name)) == Set(names))
        #expect(items.count == names.count)
    }
}

extension WebDAVFileProvider {
    /// Asks until the server sees what was made behind its back: rclone remembers for a second what was not there.
    func waitUntilThere() async throws {
        while try await !isReachable() { await Task.yield() }
    }
}
