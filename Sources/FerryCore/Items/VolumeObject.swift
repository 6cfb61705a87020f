public import Foundation

/// A storage as a whole: how large it is, and how much of it is left.
///
/// `nil` means that the storage does not say.
public struct VolumeObject: Sendable, Hashable, Codable {
    /// The name to show.
    public var name: String?

    /// An identifier that stays the same when the volume is renamed.
    public var uuid: String?

    /// Bytes that the storage can hold, or that its user may fill.
    public var totalCapacity: Int64?

    /// Bytes that can still be written.
    public var availableCapacity: Int64?

    /// Bytes that are in use, as the storage counts them.
    public var usedCapacity: Int64?

    /// Indicates whether nothing can be written.
    public var isReadOnly: Bool?

    /// A Boolean value that indicates whether the storage keeps its bytes encrypted on its medium.
    public var isEncrypted: Bool?

    /// The kind of storage: `ext4`, `WebDAV`.
    public var formatDescription: String?

    /// The date at which the storage was created.
    public var creationDate: Date?

    /// The storage's URL, without a secret.
    public var url: URL?

    /// Makes a value; where two of the three capacities are given, the third is what is left.
    ///
    /// - Parameters:
    ///   - name: The name to show.
    ///   - uuid: A lasting identifier.
    ///   - totalCapacity: Bytes that the storage can hold.
    ///   - availableCapacity: Bytes that can still be written.
    ///   - usedCapacity: Bytes that are in use.
    ///   - isReadOnly: `true` if nothing can be written.
    ///   - isEncrypted: `true` if its bytes are encrypted on its medium.
    ///   - formatDescription: The kind of storage.
    ///   - creationDate: When the storage came to be.
    ///   - url: Where the storage is, without a secret.
    public init(
        name: String? = nil,
        uuid: String? = nil,
        totalCapacity: Int64? = nil,
        availableCapacity: Int64? = nil,
        usedCapacity: Int64? = nil,
        isReadOnly: Bool? = nil,
        isEncrypted: Bool? = nil,
        formatDescription: String? = nil,
        creationDate: Date? = nil,
        url: URL? = nil
    ) {
        self.name = name
        self.uuid = uuid
        self.totalCapacity = totalCapacity ?? Self.sum(availableCapacity, usedCapacity)
        self.availableCapacity = availableCapacity ?? Self.difference(totalCapacity, usedCapacity)
        self.usedCapacity = usedCapacity ?? Self.difference(totalCapacity, availableCapacity)
        self.isReadOnly = isReadOnly
        self.isEncrypted = isEncrypted
        self.formatDescription = formatDescription
        self.creationDate = creationDate
        self.url = url
    }

    private static func sum(_ first: Int64?, _ second: Int64?) -> Int64? {
        guard let first, let second, case let (sum, overflow) = first.addingReportingOverflow(second), !overflow else {
            return nil
        }
        return sum
    }

    /// Returns what is left, which is nothing where more is used than there is: a quota may have been lowered.
    private static func difference(_ whole: Int64?, _ part: Int64?) -> Int64? {
        guard let whole, let part else { return nil }
        return whole > part ? whole &- part : 0
    }
}

// MARK: - Foundation's keys

extension VolumeObject {
    /// Returns what the storage tells of itself, by Foundation's key; `nil` for what is unknown, or has no meaning
    /// here.
    ///
    /// Values have the types that Foundation gives them: `String`, `Int`, `Bool`, `Date`, `URL`.
    ///
    /// - Parameter key: The property's key.
    public subscript(key: URLResourceKey) -> (any Sendable)? {
        switch key {
        case .volumeNameKey, .volumeLocalizedNameKey: name
        case .volumeUUIDStringKey: uuid
        case .volumeTotalCapacityKey: totalCapacity.map { Int(clamping: $0) }
        case .volumeAvailableCapacityKey: availableCapacity.map { Int(clamping: $0) }
        case .volumeIsReadOnlyKey: isReadOnly
        case .volumeIsEncryptedKey: isEncrypted
        case .volumeLocalizedFormatDescriptionKey: formatDescription
        case .volumeCreationDateKey: creationDate
        case .volumeURLKey: url
        default: nil
        }
    }
}

// MARK: - JSON

extension VolumeObject {
    private enum CodingKeys: String, CodingKey {
        case name, uuid, total, available, used, readOnly, encrypted, format, created, url
    }

    /// Reads a value; the date in ISO 8601.
    ///
    /// - Parameter decoder: Where to read.
    /// - Throws: `DecodingError` when a value is not what it should be.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        name = try values.decodeIfPresent(String.self, forKey: .name)
        uuid = try values.decodeIfPresent(String.self, forKey: .uuid)
        totalCapacity = try values.decodeIfPresent(Int64.self, forKey: .total)
        availableCapacity = try values.decodeIfPresent(Int64.self, forKey: .available)
        usedCapacity = try values.decodeIfPresent(Int64.self, forKey: .used)
        isReadOnly = try values.decodeIfPresent(Bool.self, forKey: .readOnly)
        isEncrypted = try values.decodeIfPresent(Bool.self, forKey: .encrypted)
        formatDescription = try values.decodeIfPresent(String.self, forKey: .format)
        creationDate = try values.decodeDateIfPresent(forKey: .created)
        url = try values.decodeIfPresent(URL.self, forKey: .url)
    }

    /// Writes the value: `name uuid total available used readOnly encrypted format created url`, absent when unknown.
    ///
    /// - Parameter encoder: Where to write.
    /// - Throws: Any error that the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encodeIfPresent(name, forKey: .name)
        try values.encodeIfPresent(uuid, forKey: .uuid)
        try values.encodeIfPresent(totalCapacity, forKey: .total)
        try values.encodeIfPresent(availableCapacity, forKey: .available)
        try values.encodeIfPresent(usedCapacity, forKey: .used)
        try values.encodeIfPresent(isReadOnly, forKey: .readOnly)
        try values.encodeIfPresent(isEncrypted, forKey: .encrypted)
        try values.encodeIfPresent(formatDescription, forKey: .format)
        try values.encodeIfPresent(creationDate?.iso8601, forKey: .created)
        try values.encodeIfPresent(url, forKey: .url)
    }
}
