import FerryHTTP
import FerryTestServers
import Foundation
import HTTPTypes
import NIOCore
import Synchronization
import Testing

@Suite("A packed answer")
struct ContentDecodingTests {
    private static let plain = "hello hello hello hello\n"

    @Test("is unpacked, whatever its coding and however it is cut", arguments: Packed.all + [.twice], [1, 2, 3, 1000])
    func unpacks(packed: Packed, pieceSize: Int) async throws {
        let reply = reply(packed.bytes, coding: packed.coding, pieceSize: pieceSize).decoded(limit: 1000)
        #expect(try await reply.body.collect(upTo: 1000) == Data(Self.plain.utf8))
        #expect(reply.head.headerFields[.contentEncoding] == nil)
        #expect(reply.contentLength == nil)
    }

    @Test("may be none at all", arguments: ["gzip", "deflate", "identity", nil])
    func empty(coding: String?) async throws {
        let reply = reply(Data(), coding: coding).decoded(limit: 10)
        #expect(try await reply.body.collect(upTo: 10).isEmpty)
    }

    @Test("that isn't packed is left alone")
    func plain() async throws {
        let reply = reply(Data("hello".utf8), coding: nil).decoded(limit: 1)
        #expect(reply.contentLength == 5)
        #expect(try await reply.body.collect(upTo: 10) == Data("hello".utf8))
    }

    @Test("that is cut at any byte is an error", arguments: Packed.all)
    func truncated(packed: Packed) async throws {
        for count in 1..<packed.bytes.count {
            let reply = reply(packed.bytes.prefix(count), coding: packed.coding).decoded(limit: 1000)
            let code = await failureCode { _ = try await reply.body.collect(upTo: 1000) }
            #expect(code == .networkConnectionLost, "cut after \(count)")
        }
    }

    @Test("that only begins as such is an error", arguments: ["gzip", "x-gzip", "deflate"])
    func senseless(coding: String) async throws {
        let beginning = coding == "deflate" ? Data() : Data([0x1F, 0x8B])
        let bytes = beginning + Data(repeating: 0xFE, count: 100)
        let reply = reply(bytes, coding: coding).decoded(limit: 1000)
        #expect(await failureCode { _ = try await reply.body.collect(upTo: 1000) } == .cannotDecodeContentData)
    }

    @Test("whose checksum is wrong is an error")
    func corrupt() async throws {
        var bytes = Packed.gzip.bytes
        bytes[bytes.count - 8] ^= 1
        let reply = reply(bytes, coding: "gzip").decoded(limit: 1000)
        #expect(await failureCode { _ = try await reply.body.collect(upTo: 1000) } == .cannotDecodeContentData)
    }

    @Test("in an unknown coding is an error", arguments: ["br", "gzip, gzip", "zstd"])
    func unknown(coding: String) async throws {
        let reply = reply(Data("x".utf8), coding: coding)
        let decoded = reply.decoded(limit: 1000)
        #expect(await failureCode { _ = try await decoded.body.collect(upTo: 10) } == .cannotDecodeContentData)
    }

    /// Issue 24: Apache's `AddEncoding` marks whatever it says about a file by the file's name.
    @Test(
        "that isn't packed although it says so is taken as it is",
        arguments: ["gzip", "x-gzip", "deflate", "br", "gzip, gzip"],
        ["<?xml version=\"1.0\"?><a/>", "<html>no</html>", "\u{FEFF}<a/>"]
    )
    func mislabelled(coding: String, text: String) async throws {
        for pieceSize in [1, 1000] {
            let reply = reply(Data(text.utf8), coding: coding, pieceSize: pieceSize).decoded(limit: 1000)
            #expect(try await reply.body.collect(upTo: 1000) == Data(text.utf8))
        }
    }

    @Test("that isn't packed although it says so is bounded, too")
    func longMislabelled() async throws {
        let reply = reply(Data(repeating: 0x41, count: 2000), coding: "gzip").decoded(limit: 1000)
        #expect(await failureCode { _ = try await reply.body.collect(upTo: 5000) } == .dataLengthExceedsMaximum)
    }

    @Test("that unpacks to more than expected is an error, and isn't unpacked")
    func bomb() async throws {
        let bomb = Packed.zeros(mebibytes: 64)
        #expect(bomb.count < 100_000)
        for (limit, ratio) in [(Int64(1 << 20), Int64.max), (.max, 100)] {
            let reply = reply(bomb, coding: "gzip").decoded(limit: limit, ratio: ratio)
            var count = 0
            let code = await failureCode {
                for try await chunk in reply.body { count += chunk.readableBytes }
            }
            #expect(code == .dataLengthExceedsMaximum)
            #expect(count <= 8 << 20)
        }
        let all = reply(bomb, coding: "gzip").decoded(limit: .max, ratio: .max)
        var count = 0
        for try await chunk in all.body { count += chunk.readableBytes }
        #expect(count == 64 << 20)
    }

    private func reply(_ bytes: Data, coding: String?, pieceSize: Int = 1000) -> HTTPReply {
        var fields: HTTPFields = [.contentLength: String(bytes.count)]
        fields[.contentEncoding] = coding
        let rest = SharedValue(ByteBuffer(bytes: bytes))
        return HTTPReply(
            head: HTTPResponse(status: .ok, headerFields: fields),
            body: HTTPReplyBody {
                rest.value.withLock { rest in
                    rest.readableBytes == 0 ? nil : rest.readSlice(length: min(pieceSize, rest.readableBytes))
                }
            }
        )
    }
}
