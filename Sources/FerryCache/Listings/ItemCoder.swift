import FerryCore
import Foundation

/// Items of one folder as few bytes: what a kept listing consists of.
///
/// A byte of the format's version, then the items: flags (2 bytes), then what they announce. Numbers are LEB128, dates
/// and permissions have a fixed width, text has its length before it. Media types come once, and then by number.
enum ItemCoder {
    private static let version: UInt8 = 1

    private struct Flags: OptionSet {
        let rawValue: UInt16
        static let size = Flags(rawValue: 1 << 2)
        static let modified = Flags(rawValue: 1 << 3)
        static let created = Flags(rawValue: 1 << 4)
        static let permissions = Flags(rawValue: 1 << 5)
        static let id = Flags(rawValue: 1 << 6)
        static let eTag = Flags(rawValue: 1 << 7)
        static let contentType = Flags(rawValue: 1 << 8)
        static let extras = Flags(rawValue: 1 << 9)
        static let isFresh = Flags(rawValue: 1 << 10)
    }

    /// Writes items.
    ///
    /// - Parameter items: Items of one folder.
    /// - Returns: The bytes.
    /// - Throws: What the encoding of an item's extras throws.
    static func encode(_ items: [FileObject]) throws -> Data {
        var writer = ByteWriter()
        writer.bytes.reserveCapacity(items.count * 64)
        writer.bytes.append(version)
        var contentTypes: [String: Int] = [:]
        for item in items {
            var flags = Flags(rawValue: UInt16(item.type.rawValue))
            if item.size != nil { flags.insert(.size) }
            if item.modifiedDate != nil { flags.insert(.modified) }
            if item.creationDate != nil { flags.insert(.created) }
            if item.permissions != nil { flags.insert(.permissions) }
            if item.id != nil { flags.insert(.id) }
            if item.eTag != nil { flags.insert(.eTag) }
            if item.contentType != nil { flags.insert(.contentType) }
            if !item.extras.isEmpty { flags.insert(.extras) }
            if item.isFresh { flags.insert(.isFresh) }
            writer.fixed(flags.rawValue)
            writer.text(item.name)
            if let size = item.size { writer.number(UInt64(size)) }
            if let date = item.modifiedDate { writer.fixed(date.timeIntervalSinceReferenceDate.bitPattern) }
            if let date = item.creationDate { writer.fixed(date.timeIntervalSinceReferenceDate.bitPattern) }
            if let permissions = item.permissions { writer.fixed(permissions) }
            if let id = item.id { writer.text(id) }
            if let eTag = item.eTag { writer.text(eTag) }
            if let type = item.contentType {
                let known = contentTypes[type]
                writer.number(UInt64(known ?? contentTypes.count))
                if known == nil {
                    contentTypes[type] = contentTypes.count
                    writer.text(type)
                }
            }
            if !item.extras.isEmpty {
                let kept = try item.extras.kept.sorted { $0.key < $1.key }
                writer.number(UInt64(kept.count))
                for (name, json) in kept {
                    writer.text(name)
                    writer.number(UInt64(json.count))
                    writer.bytes.append(contentsOf: json)
                }
            }
        }
        return Data(writer.bytes)
    }

    /// Reads items.
    ///
    /// - Parameters:
    ///   - data: What ``encode(_:)`` gave.
    ///   - folder: The folder that they are in, by now.
    /// - Returns: The items; `nil` if the bytes make no sense.
    static func decode(_ data: Data, in folder: ItemPath) -> [FileObject]? {
        data.withUnsafeBytes { bytes in
            var reader = ByteReader(bytes: bytes)
            do {
                guard try reader.fixed(UInt8.self) == version else { return nil }
                var contentTypes: [String] = []
                var items: [FileObject] = []
                while !reader.isAtEnd { items.append(try item(&reader, &contentTypes, in: folder)) }
                return items
            } catch {
                return nil
            }
        }
    }

    private static func item(
        _ reader: inout ByteReader,
        _ contentTypes: inout [String],
        in folder: ItemPath
    ) throws(ByteReader.Malformed) -> FileObject {
        let flags = Flags(rawValue: try reader.fixed(UInt16.self))
        guard let type = FileObject.Kind(rawValue: UInt8(flags.rawValue & 3)) else { throw .init() }
        let name = try reader.text()
        let size = flags.contains(.size) ? try reader.number() : nil
        let modified = flags.contains(.modified) ? try reader.date() : nil
        let created = flags.contains(.created) ? try reader.date() : nil
        let permissions = flags.contains(.permissions) ? try reader.fixed(UInt16.self) : nil
        let id = flags.contains(.id) ? try reader.text() : nil
        let eTag = flags.contains(.eTag) ? try reader.text() : nil
        let contentType = flags.contains(.contentType) ? try self.contentType(&reader, &contentTypes) : nil
        let extras = flags.contains(.extras) ? try self.extras(&reader) : FileObjectExtras()
        var item = FileObject(
            name: name,
            in: folder,
            type: type,
            size: size.map { Int64(clamping: $0) },
            modifiedDate: modified,
            creationDate: created,
            permissions: permissions,
            id: id,
            eTag: eTag,
            contentType: contentType,
            extras: extras
        )
        item.isFresh = flags.contains(.isFresh)
        return item
    }

    private static func contentType(
        _ reader: inout ByteReader,
        _ known: inout [String]
    ) throws(ByteReader.Malformed) -> String {
        let number = try reader.number()
        if number < known.count { return known[Int(number)] }
        guard number == known.count else { throw .init() }
        known.append(try reader.text())
        return known[known.count - 1]
    }

    private static func extras(_ reader: inout ByteReader) throws(ByteReader.Malformed) -> FileObjectExtras {
        var kept: [String: Data] = [:]
        for _ in 0..<(try reader.number()) {
            let name = try reader.text()
            kept[name] = Data(try reader.slice())
        }
        return FileObjectExtras(kept: kept)
    }
}
