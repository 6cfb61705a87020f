public import Foundation

/// An item's attributes besides its content and its name.
public struct ItemAttributes: Sendable, Hashable, Codable {
    /// The date at which the content last changed; `nil` to leave it.
    public var modifiedDate: Date?

    /// POSIX permission bits; `nil` to leave them.
    public var permissions: UInt16?

    /// Extended attributes by name; those that are not named stay.
    public var extendedAttributes: [String: Data]

    /// Makes a value.
    ///
    /// - Parameters:
    ///   - modifiedDate: When the content last changed.
    ///   - permissions: POSIX permission bits.
    ///   - extendedAttributes: Extended attributes by name.
    public init(modifiedDate: Date? = nil, permissions: UInt16? = nil, extendedAttributes: [String: Data] = [:]) {
        self.modifiedDate = modifiedDate
        self.permissions = permissions
        self.extendedAttributes = extendedAttributes
    }

    /// Indicates whether there is nothing to set.
    public var isEmpty: Bool { modifiedDate == nil && permissions == nil && extendedAttributes.isEmpty }

    /// The attributes of an existing item that can be set.
    public struct Kinds: OptionSet, Sendable, Hashable {
        /// The bits.
        public let rawValue: UInt8

        /// Makes a set.
        ///
        /// - Parameter rawValue: The bits.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// The modified date of a file.
        public static let fileDates = Kinds(rawValue: 1)
        /// The modified date of a folder.
        public static let folderDates = Kinds(rawValue: 2)
        /// Permissions.
        public static let permissions = Kinds(rawValue: 4)
        /// Extended attributes.
        public static let extendedAttributes = Kinds(rawValue: 8)
    }
}

/// A storage that can change what an item has besides its content, without writing the content anew.
public protocol FileProviderItemAttributes: FileProviderBasic {
    /// The attributes that can be set.
    var settableAttributes: ItemAttributes.Kinds { get }

    /// Sets attributes.
    ///
    /// - Parameters:
    ///   - attributes: The attributes to set; those not among ``settableAttributes`` are left out.
    ///   - path: The item; of a link the link itself, which has a date only.
    /// - Throws: `CocoaError.fileNoSuchFile`, `.fileWriteNoPermission`; `.featureUnsupported` once all else is set, if some
    ///   of it can't be.
    func setAttributes(_ attributes: ItemAttributes, path: ItemPath) async throws

    /// The extended attributes of an item.
    ///
    /// - Parameter path: A file or folder.
    /// - Returns: Values by name; none of a link, and where the storage has no such thing.
    /// - Throws: `CocoaError.fileNoSuchFile`, `.fileReadNoPermission`.
    func extendedAttributes(path: ItemPath) async throws -> [String: Data]
}
