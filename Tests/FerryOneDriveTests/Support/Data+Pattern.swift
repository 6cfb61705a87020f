import Foundation

extension Data {
    /// Bytes of which byte i is i mod 251.
    static func pattern(_ count: Int) -> Data {
        let period = Data((0..<251).map { UInt8($0) })
        var block = Data(capacity: 251 << 12)
        for _ in 0..<(1 << 12) { block.append(period) }
        var data = Data(capacity: count + block.count)
        while data.count < count { data.append(block) }
        return data.prefix(count)
    }
}
