import FerryCore
import Foundation
import HTTPTypes
import Testing

@testable import FerryHTTP

@Suite("Contents that are remembered")
struct AnswerCacheTests {
    private let old = Date(timeIntervalSince1970: 1_700_000_000)
    private let cache = HTTPAnswerCache(capacity: 100, largestEntry: 60)

    private func read(_ server: OneFileServer, _ key: String = "file") async throws -> [UInt8] {
        let stream = try await cache.open(.all, key: key, by: server.download(), reporting: nil)
        return Array(try await stream.collect())
    }

    @Test("are not sent again while they are the same")
    func same() async throws {
        let server = OneFileServer(.init(Array("content".utf8), eTag: "\"1\""))
        for _ in 0..<3 { #expect(try await read(server) == Array("content".utf8)) }
        #expect(server.requests.map { $0[.ifNoneMatch] } == [nil, "\"1\"", "\"1\""])
        #expect(server.takenBytes == 7)
    }

    @Test("are read anew when they are others")
    func changed() async throws {
        let server = OneFileServer(.init(Array("content".utf8), eTag: "\"1\""))
        _ = try await read(server)
        server.replace(with: .init(Array("other".utf8), eTag: "\"2\""))
        for _ in 0..<2 { #expect(try await read(server) == Array("other".utf8)) }
        #expect(server.requests.last?[.ifNoneMatch] == "\"2\"")
    }

    @Test("are only those whose validator tells them from any later content")
    func strong() async throws {
        let fresh = Date(timeIntervalSince1970: 1_799_999_999)
        let files: [OneFileServer.File] = [
            .init([1, 2], eTag: "W/\"1\""), .init([1, 2]), .init([1, 2], modified: fresh),
            .init([1, 2], eTag: "\"1\"", modified: fresh),
        ]
        for file in files {
            let server = OneFileServer(file)
            for _ in 0..<2 { #expect(try await read(server) == [1, 2]) }
            #expect(server.requests[1][.ifNoneMatch] == nil)
            #expect(server.requests[1][.ifModifiedSince] == nil)
        }
        #expect(cache.usedBytes == 0)
    }

    @Test("are also known by their date, if that is old enough")
    func byDate() async throws {
        let server = OneFileServer(.init([1, 2], modified: old))
        for _ in 0..<2 { #expect(try await read(server) == [1, 2]) }
        #expect(server.requests[1][.ifModifiedSince] != nil)
    }

    @Test("don't take more room than there is: what was not used for longest goes")
    func room() async throws {
        let servers = (0..<4).map { OneFileServer(.init(Array(repeating: UInt8($0), count: 30), eTag: "\"\($0)\"")) }
        for number in [0, 1, 2, 0, 3] { _ = try await read(servers[number], "\(number)") }
        #expect(cache.usedBytes == 90)
        for number in [0, 2, 3] {
            _ = try await read(servers[number], "\(number)")
            #expect(servers[number].requests.last?[.ifNoneMatch] != nil)
        }
        _ = try await read(servers[1], "1")
        #expect(servers[1].requests.last?[.ifNoneMatch] == nil)
    }

    @Test("are not those that are too large, nor those that were not read to their end")
    func notKept() async throws {
        let large = OneFileServer(.init(Array(repeating: 1, count: 61), eTag: "\"1\""))
        _ = try await read(large, "large")
        let left = OneFileServer(.init(Array(repeating: 1, count: 20), eTag: "\"1\""))
        for try await _ in try await cache.open(.all, key: "left", by: left.download(), reporting: nil) { break }
        #expect(cache.usedBytes == 0)
    }

    @Test("are forgotten when something is written, also those that are being read then")
    func written() async throws {
        let server = OneFileServer(.init(Array("content".utf8), eTag: "\"1\""))
        _ = try await read(server, "folder/file")
        cache.remove("folder")
        #expect(cache.usedBytes == 0)
        let stream = try await cache.open(.all, key: "folder/file", by: server.download(), reporting: nil)
        cache.remove("folder/file")
        _ = try await stream.collect()
        #expect(cache.usedBytes == 0)
    }
}
