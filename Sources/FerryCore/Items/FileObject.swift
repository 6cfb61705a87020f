public import Foundation

/// One item of a storage, as a listing shows it.
///
/// `nil` means that the storage does not say. A value is small (see `Benchmarks`): items of one folder share the
/// folder's path, what only few storages know sits in ``extras``.
public struct FileObject: Sendable, Hashable {
    /// The kind of the item.
    public enum Kind: UInt8, Sendable, Hashable, Codable {
        /// Bytes with a name.
        case file
        /// A folder.
        case directory
        /// A symbolic link, itself, not what it points to.
        case symlink
        /// A socket, a device, a pipe, or what only its storage knows.
        case other
    }

    /// The folder that holds the item; the root for the root itself.
    public let folder: ItemPath

    /// The name to show, which is not always the last component of ``path``; empty for the root.
    public let name: String

    /// The kind of the item.
    public var type: Kind

    /// POSIX permission bits (`0o7777` at most).
    public var permissions: UInt16?

    /// Indicates whether the storage could not tell it from what one more edit of equal size makes of it.
    ///
    /// Its dates and versions have whole seconds, and it has just changed. That is no property: `==` leaves it out.
    package var isFresh = false

    private var packedSize: Int64
    private var packedModified: Double
    private var packedCreated: Double

    /// The storage's identifier of the item, stable when it is renamed.
    public var id: String?

    /// Changes whenever the content changes; compare for equality only (RFC 9110 §8.8.3).
    public var eTag: String?

    /// The media type, such as `image/png`.
    public var contentType: String?

    /// The properties that only some storages know.
    public var extras: FileObjectExtras

    /// Makes a value for an item in a folder.
    ///
    /// - Parameters:
    ///   - name: The name as the storage shows it, slashes and all.
    ///   - folder: The folder that holds the item.
    ///   - type: The kind of item.
    ///   - size: Bytes of content; `nil` if not known, and for folders on most storages.
    ///   - modifiedDate: When the content last changed.
    ///   - creationDate: When the item came to be.
    ///   - permissions: POSIX permission bits.
    ///   - id: The storage's identifier.
    ///   - eTag: The content's version.
    ///   - contentType: The media type.
    ///   - extras: The properties that only some storages know.
    public init(
        name: String,
        in folder: ItemPath,
        type: Kind,
        size: Int64? = nil,
        modifiedDate: Date? = nil,
        creationDate: Date? = nil,
        permissions: UInt16? = nil,
        id: String? = nil,
        eTag: String? = nil,
        contentType: String? = nil,
        extras: FileObjectExtras = FileObjectExtras()
    ) {
        self.folder = folder
        self.name = name
        self.type = type
        self.permissions = permissions
        self.packedSize = size ?? -1
        self.packedModified = modifiedDate?.timeIntervalSinceReferenceDate ?? .nan
        self.packedCreated = creationDate?.timeIntervalSinceReferenceDate ?? .nan
        self.id = id
        self.eTag = eTag
        self.contentType = contentType
        self.extras = extras
    }

    /// Makes a value for an item at a path, whose name is the path's last.
    ///
    /// - Parameters:
    ///   - path: Where the item is; a path by identifier is kept in ``extras``.
    ///   - type: The kind of item.
    public init(path: ItemPath, type: Kind) {
        self.init(name: path.lastName, in: path.parent, type: type)
        if path.isIdentifier { extras[.path] = path }
    }

    /// The item's path.
    public var path: ItemPath {
        get { extras[.path] ?? folder.appending(name) }
        set { extras[.path] = newValue == folder.appending(name) ? nil : newValue }
    }

    /// Bytes of content, at least 0.
    public var size: Int64? {
        get { packedSize < 0 ? nil : packedSize }
        set { packedSize = newValue ?? -1 }
    }

    /// The date at which the content last changed.
    public var modifiedDate: Date? {
        get { packedModified.isNaN ? nil : Date(timeIntervalSinceReferenceDate: packedModified) }
        set { packedModified = newValue?.timeIntervalSinceReferenceDate ?? .nan }
    }

    /// The date at which the item was created.
    public var creationDate: Date? {
        get { packedCreated.isNaN ? nil : Date(timeIntervalSinceReferenceDate: packedCreated) }
        set { packedCreated = newValue?.timeIntervalSinceReferenceDate ?? .nan }
    }

    /// Indicates whether the item is a folder.
    public var isDirectory: Bool { type == .directory }

    /// Indicates whether the item is a file.
    public var isRegularFile: Bool { type == .file }

    /// Indicates whether the item is a symbolic link.
    public var isSymbolicLink: Bool { type == .symlink }

    /// Indicates whether lists leave the item out by custom: its name begins with a dot, or the storage says so.
    public var isHidden: Bool { extras[.isHidden] ?? (name.utf8.first == UInt8(ascii: ".")) }

    /// A Boolean value that indicates whether this user can't change the item; `nil` if the storage doesn't say.
    public var isReadOnly: Bool? { extras[.isReadOnly] }

    /// The part of the name after its last dot; empty if there is none.
    public var pathExtension: String { NameEscape.pathExtension(of: name) }

    /// Compares every property; text byte by byte.
    public static func == (first: FileObject, second: FileObject) -> Bool {
        first.folder == second.folder && first.name.hasSameBytes(as: second.name)
            && first.type == second.type && first.size == second.size
            && first.modifiedDate == second.modifiedDate && first.creationDate == second.creationDate
            && first.permissions == second.permissions && isSame(first.id, second.id)
            && isSame(first.eTag, second.eTag) && isSame(first.contentType, second.contentType)
            && first.extras == second.extras
    }

    /// Returns whether texts have the same bytes; `==` would take `é` as one scalar and as two for the same.
    private static func isSame(_ first: String?, _ second: String?) -> Bool {
        switch (first, second) {
        case (let first?, let second?): first.hasSameBytes(as: second)
        case (nil, nil): true
        default: false
        }
    }

    /// Feeds what tells items apart: path, type, size, date and version.
    ///
    /// - Parameter hasher: The hasher to feed.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(path)
        hasher.combine(type)
        hasher.combine(size)
        hasher.combine(modifiedDate)
        hasher.combine(eTag)
    }
}

extension FileObject: CustomStringConvertible {
    /// Path, type and size, for logs and for people who debug.
    public var description: String {
        guard let size else { return "\(path) (\(type.queryName))" }
        return "\(path) (\(type.queryName), \(size) bytes)"
    }
}

extension FileObject {
    /// The storage's identifier of the folder that holds the item, as that folder's ``id`` has it.
    public var parentID: String? {
        get { extras[.parentID] }
        set { extras[.parentID] = newValue }
    }

    /// The item's version, which changes with its name, its folder and its attributes, and with the content of a file;
    /// compare for equality only, and with versions of the same item.
    ///
    /// ``eTag`` need not change with anything but the content.
    public var metadataVersion: String? {
        get { extras[.metadataVersion] }
        set { extras[.metadataVersion] = newValue }
    }
}

extension FileObjectExtras.Key where Value == String {
    /// The value of ``FileObject/parentID``.
    static var parentID: Self { Self("parentID") }

    /// The value of ``FileObject/metadataVersion``.
    static var metadataVersion: Self { Self("metadataVersion") }
}
