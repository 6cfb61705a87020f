import Foundation

/// Contents whose every eight bytes tell which of them they belong to, and where.
struct ModelContent: Sendable, Hashable {
    let number: UInt32
    let length: Int

    /// All bytes, or some.
    func bytes(_ range: Range<Int>? = nil) -> Data {
        let range = (range ?? 0..<length).clamped(to: 0..<length)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count + 16)
        let first = range.lowerBound / 8
        for block in first..<max(first, (range.upperBound + 7) / 8) {
            withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
            withUnsafeBytes(of: UInt32(block).littleEndian) { bytes.append(contentsOf: $0) }
        }
        return Data(bytes.dropFirst(range.lowerBound - first * 8).prefix(range.count))
    }

    /// The number that whole contents begin with; `nil` for none.
    static func number(of data: Data) -> UInt32? {
        guard data.count >= 4 else { return nil }
        return data.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
