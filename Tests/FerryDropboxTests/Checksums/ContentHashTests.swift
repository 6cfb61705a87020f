import FerryHTTP
import Foundation
import NIOCore
import Synchronization
import Testing

@testable import FerryDropbox

@Suite("The content hash")
struct ContentHashTests {
    private static let mebibyte = 1 << 20

    @Test(
        "is what rclone makes of the same content",
        arguments: [
            (Data(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            (Data("a".utf8), "bf5d3affb73efd2ec6c36ad3112dd933efed63c4e1cbffcfa88e2759c144f2d8"),
            (Data("hello".utf8), "9595c9df90075148eb06860365df33584b75bff782a510c6cd4883a419833d50"),
            (.pattern(1_000), "c88e98bd565d6e001a0a37ac287032e1183923f35f6fde42c14210cbe2098d7c"),
            (.pattern(4 * mebibyte + 1), "4a6cc0a344febaa07772e7c974834b2fb1d24594d4ba15f27c97a54699709f44"),
            (Data(count: 5 * mebibyte), "f8bd3b7fc59d52351f1518fcecab6a686585ff0a707e9da79d717a1ed108ea2a"),
        ]
    )
    func vectors(content: Data, expected: String) {
        #expect(DropboxContentHash.hash(ByteBuffer(bytes: content)) == expected)
    }

    @Test("does not depend on how the content is cut", arguments: [1, 251, 4_096, 1 << 22, (1 << 22) + 1])
    func cuts(size: Int) {
        let content = Data.pattern(9 * Self.mebibyte)
        var hash = DropboxContentHash()
        var offset = 0
        while offset < content.count {
            let part = content[offset..<min(offset + (size == 1 ? 65_537 : size), content.count)]
            part.withUnsafeBytes { hash.update($0) }
            offset += part.count
        }
        #expect(hash.count == Int64(content.count))
        #expect(hash.finalize() == DropboxContentHash.hash(ByteBuffer(bytes: content)))
    }

    @Test("can be asked for in between")
    func running() {
        let hash = RunningContentHash()
        hash.pass(ByteBuffer(string: "hel"))
        _ = hash.finish()
        hash.pass(ByteBuffer(string: "lo"))
        #expect(hash.finish() == "9595c9df90075148eb06860365df33584b75bff782a510c6cd4883a419833d50")
        #expect(hash.count == 5)
    }

    @Test("of a file is made of its parts' blocks, and only the others are read")
    func blocks() async throws {
        let content = Content(Data.pattern(13 * Self.mebibyte + 5))
        let block = Int64(4 * Self.mebibyte)
        let blocks = ContentBlocks()
        // The first is sent again, from within: that tells of no block.
        for part in [0..<block, 1_000..<block, 2 * block..<content.size] {
            let hash = try await blocks.hash(of: content.body(part), at: part.lowerBound)
            #expect(hash == DropboxContentHash.hash(content.slice(part)))
        }
        #expect(try await blocks.hash(size: content.size) == nil)
        let read = Mutex<[Range<Int64>]>([])
        let hash = try await blocks.hash(size: content.size) { range in
            read.withLock { $0.append(range) }
            return content.body(range)
        }
        #expect(hash == DropboxContentHash.hash(content.bytes))
        #expect(read.withLock { $0 } == [block..<2 * block])
    }

    @Test(
        "of a file is that of parts of any size, if they follow each other",
        arguments: [1 << 20, 3_000_001, 6 << 20]
    )
    func unalignedBlocks(size: Int64) async throws {
        let content = Content(Data.pattern(13 * Self.mebibyte + 5))
        let blocks = ContentBlocks()
        for start in stride(from: 0, to: content.size, by: Int(size)) {
            let part = start..<min(start + size, content.size)
            #expect(
                try await blocks.hash(of: content.body(part), at: start) == DropboxContentHash.hash(content.slice(part))
            )
        }
        #expect(try await blocks.hash(size: content.size) == DropboxContentHash.hash(content.bytes))
        // The last block has another end then.
        #expect(try await blocks.hash(size: content.size - 1) == nil)
    }

    private struct Content {
        let bytes: ByteBuffer

        init(_ data: Data) { bytes = ByteBuffer(bytes: data) }

        var size: Int64 { Int64(bytes.readableBytes) }

        func slice(_ range: Range<Int64>) -> ByteBuffer {
            bytes.getSlice(at: Int(range.lowerBound), length: range.count) ?? ByteBuffer()
        }

        func body(_ range: Range<Int64>) -> HTTPRequestBody { HTTPRequestBody(slice(range)) }
    }
}
