import FerryCore
import Foundation

extension CacheValue where Self: Codable {
    func cacheBytes() throws -> Data { try JSONEncoder().encode(self) }

    init?(cacheBytes: Data, at path: ItemPath) {
        // Bytes that are no value of this type are as good as none.
        guard let value = try? JSONDecoder().decode(Self.self, from: cacheBytes) else { return nil }
        self = value
    }
}

/// How full a storage is.
extension VolumeObject: CacheValue {
    var memoryCost: Int { 512 }
}

/// The properties in a file itself.
extension FileProperties: CacheValue {
    var memoryCost: Int { properties.reduce(64) { $0 + 64 + $1.value.memoryCost } }
}
