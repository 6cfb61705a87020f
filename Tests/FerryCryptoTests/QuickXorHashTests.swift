import FerryCrypto
import Foundation
import Testing

@Suite("QuickXorHash")
struct QuickXorHashTests {
    private static func pattern(_ count: Int) -> Data { Data((0..<count).map { UInt8($0 % 251) }) }

    @Test(
        "has the values that other programs have",
        arguments: [
            (Data(), "AAAAAAAAAAAAAAAAAAAAAAAAAAA="),
            (Data("a".utf8), "YQAAAAAAAAAAAAAAAQAAAAAAAAA="),
            (Data("hello".utf8), "aCgDG9jwBgAAAAAABQAAAAAAAAA="),
            (pattern(1_000), "KbphcpColXb1/3Wm950vUzeX1es="),
            (pattern(4 << 20) + [UInt8((4 << 20) % 251)], "ioSd5jqMngMiBI1oi0Dt4uyCyGo="),
            (Data(count: 5 << 20), "AAAAAAAAAAAAAAAAAABQAAAAAAA="),
        ]
    )
    func vectors(data: Data, hash: String) {
        let algorithm = HashAlgorithm.quickXor
        #expect(algorithm.text(of: algorithm.hash(data)) == hash)
    }

    @Test(
        "does not depend on how the bytes come",
        arguments: [[1], [7, 160, 3], [159, 1], [160], [161, 319, 2], [320, 80], [500, 11]]
    )
    func pieces(sizes: [Int]) {
        let data = Self.pattern(1_000)
        var hash = RunningHash(.quickXor)
        var rest = data[...]
        var turn = 0
        while !rest.isEmpty {
            let piece = rest.prefix(sizes[turn % sizes.count])
            piece.withUnsafeBytes { hash.update($0) }
            rest = rest.dropFirst(piece.count)
            turn += 1
        }
        #expect(hash.finalize() == HashAlgorithm.quickXor.hash(data))
    }

    @Test("of a copy goes on by itself")
    func copies() {
        var first = RunningHash(.quickXor)
        Self.pattern(200).withUnsafeBytes { first.update($0) }
        let copy = first
        Self.pattern(10).withUnsafeBytes { first.update($0) }
        #expect(copy.finalize() == HashAlgorithm.quickXor.hash(Self.pattern(200)))
        #expect(first.finalize() != copy.finalize())
    }
}
