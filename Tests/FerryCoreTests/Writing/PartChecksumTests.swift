import FerryCore
import NIOCore
import Testing

@Suite("The checksum of a part")
struct PartChecksumTests {
    private func sum(_ pieces: [[UInt8]]) -> String {
        let checksum = PartChecksum()
        for piece in pieces { checksum.update(ByteBuffer(bytes: piece)) }
        return checksum.finish()
    }

    // The output of `xxh128sum`.
    @Test("is XXH3's", arguments: ["": "99aa06d3014798d86001c324468d497f", "a": "a96faf705af16834e6c632b61e964e1f"])
    func known(text: String, expected: String) {
        #expect(sum([Array(text.utf8)]) == expected)
    }

    @Test("doesn't depend on how the bytes come, and the next part begins anew")
    func pieces() {
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ ($0 >> 7)) }
        let whole = sum([bytes])
        for size in [1, 7, 64, 1_000, 65_536] {
            let pieces = stride(from: 0, to: bytes.count, by: size).map {
                Array(bytes[$0..<min($0 + size, bytes.count)])
            }
            #expect(sum(pieces) == whole)
        }
        let checksum = PartChecksum()
        bytes.withUnsafeBytes { checksum.update($0) }
        #expect(checksum.finish() == whole)
        #expect(checksum.finish() == sum([]))
        #expect(sum([Array(bytes.dropLast()), [bytes[bytes.count - 1] ^ 1]]) != whole)
    }
}
