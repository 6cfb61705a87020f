import FerryCore
import Foundation

/// A small picture: its type, its size where it is known, then the picture's bytes.
extension Thumbnail: CacheValue {
    func cacheBytes() throws -> Data {
        var writer = ByteWriter()
        writer.text(contentType)
        for side in [width, height] { writer.number(UInt64(max(0, side.map { $0 + 1 } ?? 0))) }
        return Data(writer.bytes) + data
    }

    init?(cacheBytes: Data, at path: ItemPath) {
        let parts = cacheBytes.withUnsafeBytes { bytes -> (type: String, sides: [Int?], rest: Int)? in
            var reader = ByteReader(bytes: bytes)
            do {
                let type = try reader.text()
                let sides = [try reader.number(), try reader.number()].map { $0 == 0 ? nil : Int(clamping: $0) - 1 }
                return (type, sides, reader.remaining)
            } catch {
                return nil
            }
        }
        guard let parts else { return nil }
        self.init(
            data: Data(cacheBytes.suffix(parts.rest)),
            contentType: parts.type,
            width: parts.sides[0],
            height: parts.sides[1]
        )
    }

    var memoryCost: Int { data.count + 128 }
}

/// Anything else.
extension Data: CacheValue {
    func cacheBytes() throws -> Data { self }

    init?(cacheBytes: Data, at path: ItemPath) { self = cacheBytes }

    var memoryCost: Int { count + 64 }
}
