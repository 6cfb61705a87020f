import FerryCore
import Foundation

/// Writes items one after the other.
struct ItemWriter {
    var bytes = ByteWriter()
    private var contentTypes: [String: Int] = [:]

    /// Writes an item.
    ///
    /// - Parameter item: One of the folder's.
    /// - Throws: Any error that the encoding of its extras throws.
    mutating func append(_ item: FileObject) throws {
        var flags = ItemCoder.Flags(rawValue: UInt16(item.type.rawValue))
        if item.size != nil { flags.insert(.size) }
        if item.modifiedDate != nil { flags.insert(.modified) }
        if item.creationDate != nil { flags.insert(.created) }
        if item.permissions != nil { flags.insert(.permissions) }
        if item.id != nil { flags.insert(.id) }
        if item.eTag != nil { flags.insert(.eTag) }
        if item.contentType != nil { flags.insert(.contentType) }
        if !item.extras.isEmpty { flags.insert(.extras) }
        if item.isFresh { flags.insert(.isFresh) }
        bytes.fixed(flags.rawValue)
        bytes.text(item.name)
        if let size = item.size { bytes.number(UInt64(size)) }
        if let date = item.modifiedDate { bytes.fixed(date.timeIntervalSinceReferenceDate.bitPattern) }
        if let date = item.creationDate { bytes.fixed(date.timeIntervalSinceReferenceDate.bitPattern) }
        if let permissions = item.permissions { bytes.fixed(permissions) }
        if let id = item.id { bytes.text(id) }
        if let eTag = item.eTag { bytes.text(eTag) }
        if let type = item.contentType { write(contentType: type) }
        if !item.extras.isEmpty { try write(item.extras) }
    }

    private mutating func write(contentType type: String) {
        let known = contentTypes[type]
        bytes.number(UInt64(known ?? contentTypes.count))
        guard known == nil else { return }
        contentTypes[type] = contentTypes.count
        bytes.text(type)
    }

    private mutating func write(_ extras: FileObjectExtras) throws {
        let kept = try extras.kept.sorted { $0.key < $1.key }
        bytes.number(UInt64(kept.count))
        for (name, json) in kept {
            bytes.text(name)
            bytes.number(UInt64(json.count))
            bytes.bytes.append(contentsOf: json)
        }
    }
}
