import NIOCore
import Testing

@testable import FerryCache

@Suite("Chunks that follow each other")
struct ChunkRunTests {
    private static let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }

    private func run(_ sizes: [Int], start: Int64 = 1_000) -> ChunkRun {
        var run = ChunkRun(start: start)
        var position = 0
        for size in sizes {
            run.append(ByteBuffer(bytes: Self.bytes[position..<position + size]), atMost: Self.bytes.count)
            position += size
        }
        return run
    }

    @Test(
        "are the same bytes, whatever their sizes; of small ones no large buffer is kept",
        arguments: [
            ([5, 6, 7], 1), ([70_000, 3, 4, 80_000, 9], 4), ([70_000, 70_000], 2), ([1, 70_000, 1], 3), ([0], 1),
            ([], 0),
        ]
    )
    func sameBytes(sizes: [Int], count: Int) {
        let run = run(sizes)
        let total = sizes.reduce(0, +)
        #expect(run.chunks.count == count)
        #expect(run.range == 1_000..<1_000 + Int64(total))
        #expect(run.isEmpty == (total == 0))
        #expect(run.chunks.flatMap { Array(buffer: $0) } == Array(Self.bytes[..<total]))
    }

    @Test(
        "give those of a part, and where they are",
        arguments: [(0, 150_000), (0, 1), (69_999, 70_008), (70_003, 70_004)]
    )
    func part(from: Int, to: Int) {
        let run = run([70_000, 3, 4, 80_000, 9])
        let found = run.chunks(in: 1_000 + Int64(from)..<1_000 + Int64(to))
        #expect(found.flatMap { Array(buffer: $0.bytes) } == Array(Self.bytes[from..<to]))
        var offset = 1_000 + Int64(from)
        for chunk in found {
            #expect(chunk.offset == offset)
            offset += Int64(chunk.bytes.readableBytes)
        }
    }

    @Test("have the checksum of all their bytes at once", arguments: [0, 1, 8, 128, 240, 1_000, 199_999])
    func checksum(size: Int) {
        let all = ByteBuffer(bytes: Self.bytes[..<size])
        for step in [1, 7, 4_096, 70_000] where size / step < 2_000 {
            let sum = SeededChecksum(0x1234_5678_9ABC_DEF0)
            var rest = all
            while let chunk = rest.readSlice(length: min(step, rest.readableBytes)), chunk.readableBytes > 0 {
                sum.update(chunk)
            }
            #expect(sum.digest == Checksum.of(all, seed: 0x1234_5678_9ABC_DEF0))
        }
    }
}
