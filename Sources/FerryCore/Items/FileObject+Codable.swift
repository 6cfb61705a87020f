import Foundation

/// Items in JSON: `path name type size modified created id eTag contentType permissions`, and the extras that have a key
/// here.
///
/// `type` is `file`, `directory`, `symlink` or `other`; dates are ISO 8601 in UTC and end in `Z`; `permissions` is a
/// number (`0o644` is 420). A key is absent when its value is unknown. What is in the extras under keys of a provider's
/// own is left out.
extension FileObject: Codable {
    private enum CodingKeys: String, CodingKey {
        case path, name, type, size, modified, created, id, eTag, contentType, permissions
        // Only where the path's parent is not the folder, as with paths by identifier.
        case folder
        case accessed, attributesModified, owner, group, linkDestination, allocatedSize, linkCount, childCount
        case hidden, readOnly, checksums, parentID, metadataVersion
    }

    /// Reads an item.
    ///
    /// - Parameter decoder: Where to read.
    /// - Throws: `DecodingError` when the path or the type is missing, or a value is not what it should be.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let path = try values.decode(ItemPath.self, forKey: .path)
        let typeName = try values.decode(String.self, forKey: .type)
        guard let type = Kind(queryName: typeName) else {
            throw DecodingError.dataCorruptedError(forKey: .type, in: values, debugDescription: "no type: \(typeName)")
        }
        self.init(
            name: try values.decodeIfPresent(String.self, forKey: .name) ?? path.lastName,
            in: try values.decodeIfPresent(ItemPath.self, forKey: .folder) ?? path.parent,
            type: type,
            size: try values.decodeIfPresent(Int64.self, forKey: .size),
            modifiedDate: try values.decodeDateIfPresent(forKey: .modified),
            creationDate: try values.decodeDateIfPresent(forKey: .created),
            permissions: try values.decodeIfPresent(UInt16.self, forKey: .permissions),
            id: try values.decodeIfPresent(String.self, forKey: .id),
            eTag: try values.decodeIfPresent(String.self, forKey: .eTag),
            contentType: try values.decodeIfPresent(String.self, forKey: .contentType)
        )
        self.path = path
        try decodeExtras(from: values)
    }

    private mutating func decodeExtras(from values: KeyedDecodingContainer<CodingKeys>) throws {
        parentID = try values.decodeIfPresent(String.self, forKey: .parentID)
        metadataVersion = try values.decodeIfPresent(String.self, forKey: .metadataVersion)
        extras[.accessDate] = try values.decodeDateIfPresent(forKey: .accessed)
        extras[.attributeModificationDate] = try values.decodeDateIfPresent(forKey: .attributesModified)
        extras[.owner] = try values.decodeIfPresent(String.self, forKey: .owner)
        extras[.group] = try values.decodeIfPresent(String.self, forKey: .group)
        extras[.linkDestination] = try values.decodeIfPresent(String.self, forKey: .linkDestination)
        extras[.allocatedSize] = try values.decodeIfPresent(Int64.self, forKey: .allocatedSize)
        extras[.linkCount] = try values.decodeIfPresent(Int64.self, forKey: .linkCount)
        extras[.childCount] = try values.decodeIfPresent(Int64.self, forKey: .childCount)
        extras[.isHidden] = try values.decodeIfPresent(Bool.self, forKey: .hidden)
        extras[.isReadOnly] = try values.decodeIfPresent(Bool.self, forKey: .readOnly)
        extras[.checksums] = try values.decodeIfPresent([ChecksumKind: String].self, forKey: .checksums)
    }

    /// Writes an item.
    ///
    /// - Parameter encoder: Where to write.
    /// - Throws: Any error that the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        let path = path
        try values.encode(path, forKey: .path)
        try values.encode(name, forKey: .name)
        try values.encode(type.queryName, forKey: .type)
        try values.encodeIfPresent(size, forKey: .size)
        try values.encodeIfPresent(modifiedDate?.iso8601, forKey: .modified)
        try values.encodeIfPresent(creationDate?.iso8601, forKey: .created)
        try values.encodeIfPresent(id, forKey: .id)
        try values.encodeIfPresent(eTag, forKey: .eTag)
        try values.encodeIfPresent(contentType, forKey: .contentType)
        try values.encodeIfPresent(permissions, forKey: .permissions)
        if path.parent != folder { try values.encode(folder, forKey: .folder) }
        if !extras.isEmpty { try encodeExtras(to: &values) }
    }

    private func encodeExtras(to values: inout KeyedEncodingContainer<CodingKeys>) throws {
        try values.encodeIfPresent(parentID, forKey: .parentID)
        try values.encodeIfPresent(metadataVersion, forKey: .metadataVersion)
        try values.encodeIfPresent(extras[.accessDate]?.iso8601, forKey: .accessed)
        try values.encodeIfPresent(extras[.attributeModificationDate]?.iso8601, forKey: .attributesModified)
        try values.encodeIfPresent(extras[.owner], forKey: .owner)
        try values.encodeIfPresent(extras[.group], forKey: .group)
        try values.encodeIfPresent(extras[.linkDestination], forKey: .linkDestination)
        try values.encodeIfPresent(extras[.allocatedSize], forKey: .allocatedSize)
        try values.encodeIfPresent(extras[.linkCount], forKey: .linkCount)
        try values.encodeIfPresent(extras[.childCount], forKey: .childCount)
        try values.encodeIfPresent(extras[.isHidden], forKey: .hidden)
        try values.encodeIfPresent(extras[.isReadOnly], forKey: .readOnly)
        try values.encodeIfPresent(extras[.checksums], forKey: .checksums)
    }
}

extension KeyedDecodingContainer {
    /// Reads a date that ``Foundation/Date/iso8601`` has written.
    func decodeDateIfPresent(forKey key: Key) throws -> Date? {
        guard let text = try decodeIfPresent(String.self, forKey: key) else { return nil }
        guard let date = Date(iso8601: text) else {
            throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "not a date: \(text)")
        }
        return date
    }
}
