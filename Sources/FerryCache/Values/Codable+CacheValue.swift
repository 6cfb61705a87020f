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

/// What a file says about itself.
extension FileProperties: CacheValue {
    func cacheBytes() throws -> Data { try JSONEncoder().encode(properties) }

    init?(cacheBytes: Data, at path: ItemPath) {
        // Bytes that are no list of properties are as good as none.
        guard let properties = try? JSONDecoder().decode([Property].self, from: cacheBytes) else { return nil }
        self.init(properties)
    }

    var memoryCost: Int { properties.reduce(64) { $0 + 64 + $1.name.utf8.count + $1.value.utf8.count } }
}
