import FerryCore
import Foundation

/// Items of one folder as few bytes: what a kept listing consists of.
///
/// A byte of the format's version, then the items: flags (2 bytes), then what they announce. Numbers are LEB128, dates
/// and permissions have a fixed width, text has its length before it. Media types come once, and then by number. Of very
/// many items, what comes after the first byte is packed.
enum ItemCoder {
    private static let version: UInt8 = 1

    struct Flags: OptionSet {
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

    /// The version of packed listings: all bytes after the version's byte are packed.
    private static let packedVersion: UInt8 = 2

    /// Bytes that a listing may come to, so that nobody's file makes us take all memory.
    private static let most = 1 << 30

    /// Writes items.
    ///
    /// - Parameter items: Items of one folder.
    /// - Returns: The bytes.
    /// - Throws: Any error that the encoding of an item's extras throws.
    static func encode(_ items: [FileObject]) throws -> Data {
        var writer = ItemWriter()
        writer.bytes.bytes.reserveCapacity(items.count * 64)
        writer.bytes.bytes.append(version)
        for item in items { try writer.append(item) }
        return Data(writer.bytes.bytes)
    }

    /// The bytes of items, packed.
    ///
    /// - Parameter bytes: The bytes that an ``ItemWriter`` wrote, packed by a ``Deflater``.
    /// - Returns: The data that ``decode(_:in:)`` reads.
    static func packed(_ bytes: [UInt8]) -> Data {
        var data = Data(capacity: bytes.count + 1)
        data.append(packedVersion)
        data.append(contentsOf: bytes)
        return data
    }

    /// Reads items.
    ///
    /// - Parameters:
    ///   - data: The data that ``encode(_:)`` returned.
    ///   - folder: The folder that they are in, by now.
    /// - Returns: The items; `nil` if the bytes make no sense.
    static func decode(_ data: Data, in folder: ItemPath) -> [FileObject]? {
        data.withUnsafeBytes { bytes in
            var reader = ByteReader(bytes: bytes)
            do {
                switch try reader.fixed(UInt8.self) {
                case version: return try items(&reader, in: folder)
                case packedVersion:
                    guard
                        let unpacked = Deflater.unpack(UnsafeRawBufferPointer(rebasing: bytes.dropFirst()), most: most)
                    else { return nil }
                    return try unpacked.withUnsafeBytes { bytes in
                        var reader = ByteReader(bytes: bytes)
                        return try items(&reader, in: folder)
                    }
                default: return nil
                }
            } catch {
                return nil
            }
        }
    }

    private static func items(
        _ reader: inout ByteReader,
        in folder: ItemPath
    ) throws(ByteReader.Malformed) -> [FileObject] {
        var contentTypes: [String] = []
        var items: [FileObject] = []
        while !reader.isAtEnd { items.append(try item(&reader, &contentTypes, in: folder)) }
        return items
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
