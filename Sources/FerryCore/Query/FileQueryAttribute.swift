extension FileQuery {
    /// An attribute of an item that a query can ask about.
    ///
    /// The keys of each, and their other names, are in ``Attribute/keys``. They are read in any case: `filesize` is `fileSize`.
    public enum Attribute: Sendable, Hashable {
        /// The name that is shown: `name`.
        case name
        /// The path as text: `path`.
        case path
        /// The path of the folder that holds the item: `folder`.
        case folder
        /// The part of the name after its last dot: `pathExtension`.
        case pathExtension
        /// `'file'`, `'directory'`, `'symlink'` or `'other'`: `type`.
        case type
        /// Bytes of content: `fileSize`.
        case size
        /// Bytes that the item takes up: `allocatedSize`.
        case allocatedSize
        /// The date at which the content changed: `modifiedDate`.
        case modifiedDate
        /// The date at which the item was created: `creationDate`.
        case creationDate
        /// The date at which the item was read: `accessedDate`.
        case accessedDate
        /// The date at which the attributes changed: `attributesModifiedDate`.
        case attributesModifiedDate
        /// Indicates whether it is a folder: `isDirectory`.
        case isDirectory
        /// Indicates whether it is a file: `isRegularFile`.
        case isRegularFile
        /// Indicates whether it is a symbolic link: `isSymbolicLink`.
        case isSymbolicLink
        /// Indicates whether lists leave it out: `isHidden`.
        case isHidden
        /// Indicates whether this user can't change it: `isReadOnly`.
        case isReadOnly
        /// Indicates whether this user can change it: `isWritable`.
        case isWritable
        /// The storage's identifier: `id`.
        case id
        /// The content's version: `eTag`.
        case eTag
        /// The media type: `contentType`.
        case contentType
        /// POSIX permission bits, as in `0o644`: `permissions`.
        case permissions
        /// The user that owns it: `owner`.
        case owner
        /// The group that owns it: `group`.
        case group
        /// The target of a symbolic link: `linkDestination`.
        case linkDestination
        /// The number of names that it has: `linkCount`.
        case linkCount
        /// The number of items in a folder: `childCount`.
        case childCount
        /// A checksum of the content, as lower-case hexadecimal: `md5`, `sha1`, `sha256` …
        case checksum(ChecksumKind)
        /// A value that only its storage knows, by the name of its key in ``FileObjectExtras``: `extras.favorite`.
        case extra(String)
    }
}

extension FileQuery.Attribute: CustomStringConvertible {
    /// The attribute's keys: the first is the one that queries are printed with.
    ///
    /// Among the others are the names of Foundation's `URLResourceKey`s, with and without `NSURL` … `Key`, and
    /// Spotlight's.
    public static let keys: [(attribute: Self, keys: [String])] = [
        (.name, ["name", "NSURLNameKey", "NSURLLocalizedNameKey", "localizedName", "fileName", "kMDItemFSName"]),
        (.path, ["path", "NSURLPathKey", "_NSURLPathKey", "kMDItemPath"]),
        (.folder, ["folder", "parent", "parentDirectory"]),
        (.pathExtension, ["pathExtension", "extension"]),
        (.type, ["type", "kind", "fileType", "fileResourceType", "NSURLFileResourceTypeKey"]),
        (.size, ["fileSize", "size", "NSURLFileSizeKey", "totalFileSize", "NSURLTotalFileSizeKey", "kMDItemFSSize"]),
        (.allocatedSize, ["allocatedSize", "fileAllocatedSize", "NSURLFileAllocatedSizeKey"]),
        (
            .modifiedDate,
            [
                "modifiedDate", "modified", "modificationDate", "contentModificationDate",
                "NSURLContentModificationDateKey", "kMDItemFSContentChangeDate", "kMDItemContentModificationDate",
            ]
        ),
        (
            .creationDate,
            [
                "creationDate", "created", "createdDate", "NSURLCreationDateKey", "kMDItemFSCreationDate",
                "kMDItemContentCreationDate",
            ]
        ),
        (
            .accessedDate,
            ["accessedDate", "accessed", "accessDate", "contentAccessDate", "NSURLContentAccessDateKey"]
        ),
        (
            .attributesModifiedDate,
            [
                "attributesModifiedDate", "attributesModified", "attributeModificationDate",
                "NSURLAttributeModificationDateKey",
            ]
        ),
        (.isDirectory, ["isDirectory", "isFolder", "NSURLIsDirectoryKey"]),
        (.isRegularFile, ["isRegularFile", "isFile", "NSURLIsRegularFileKey"]),
        (.isSymbolicLink, ["isSymbolicLink", "isSymLink", "NSURLIsSymbolicLinkKey"]),
        (.isHidden, ["isHidden", "hidden", "NSURLIsHiddenKey"]),
        (.isReadOnly, ["isReadOnly", "readOnly"]),
        (.isWritable, ["isWritable", "writable", "NSURLIsWritableKey"]),
        (.id, ["id", "identifier", "fileIdentifier", "fileResourceIdentifier", "NSURLFileResourceIdentifierKey"]),
        (.eTag, ["eTag", "entryTag", "generationIdentifier", "NSURLGenerationIdentifierKey", "NSURLEntryTagKey"]),
        (.contentType, ["contentType", "mimeType", "mediaType", "NSURLMIMETypeIdentifierKey", "kMDItemContentType"]),
        (.permissions, ["permissions", "posixPermissions", "mode"]),
        (.owner, ["owner", "ownerAccountName"]),
        (.group, ["group", "groupOwnerAccountName"]),
        (.linkDestination, ["linkDestination"]),
        (.linkCount, ["linkCount", "NSURLLinkCountKey"]),
        (.childCount, ["childCount", "directoryEntryCount"]),
        (.checksum(.md5), ["md5"]),
        (.checksum(.sha1), ["sha1"]),
        (.checksum(.sha256), ["sha256"]),
        (.checksum(.adler32), ["adler32"]),
        (.checksum(.crc32), ["crc32"]), (.checksum(.crc32c), ["crc32c"]),
        (.checksum(.dropbox), ["dropboxHash"]),
        (.checksum(.quickXor), ["quickXor"]),
    ]

    private static let byKey: [String: Self] = {
        var byKey: [String: Self] = [:]
        for (attribute, keys) in keys {
            for key in keys { byKey[key.lowercased()] = attribute }
        }
        return byKey
    }()

    private static let printedKeys: [Self: String] = {
        var printedKeys: [Self: String] = [:]
        for (attribute, keys) in keys { printedKeys[attribute] = keys[0] }
        return printedKeys
    }()

    private static let extrasPrefix = "extras."
    private static let checksumPrefix = "checksums."

    /// The attribute of a key.
    ///
    /// - Parameter key: One of ``keys``, or `extras.` (or `checksums.`) and the name of a key that only its storage
    ///   knows.
    public init?(key: String) {
        let lowercased = key.lowercased()
        if let attribute = Self.byKey[lowercased] {
            self = attribute
        } else if lowercased.hasPrefix(Self.extrasPrefix), key.utf8.count > Self.extrasPrefix.utf8.count {
            self = .extra(String(key.dropFirst(Self.extrasPrefix.count)))
        } else if lowercased.hasPrefix(Self.checksumPrefix), key.utf8.count > Self.checksumPrefix.utf8.count {
            self = .checksum(ChecksumKind(rawValue: String(lowercased.dropFirst(Self.checksumPrefix.count))))
        } else {
            return nil
        }
    }

    /// The key that the attribute is printed with.
    public var description: String {
        if let key = Self.printedKeys[self] { return key }
        return switch self {
        case .extra(let name): Self.extrasPrefix + name
        case .checksum(let kind): Self.checksumPrefix + kind.rawValue
        default: ""
        }
    }

    /// The keys that a mistyped one may have meant, best first.
    static func keys(near key: String) -> [String] {
        let key = Array(key.lowercased().utf8)
        let limit = max(1, key.count / 3)
        var found: [(distance: Int, key: String)] = []
        for (_, names) in keys {
            let distances = names.map { name in
                let name = Array(name.lowercased().utf8)
                let isPart = key.count > 2 && name.count > 2 && (name.starts(with: key) || key.starts(with: name))
                return isPart ? 1 : FileQueryProblem.editDistance(name, key)
            }
            if let distance = distances.min(), distance <= limit { found.append((distance, names[0])) }
        }
        return found.sorted { ($0.distance, $0.key) < ($1.distance, $1.key) }.prefix(3).map(\.key)
    }
}

// MARK: - Types

extension FileQuery.Attribute {
    /// The types of values that can be compared with an attribute.
    enum ValueType {
        case text, number, date, flag, kind, any
    }

    /// The type of values that can be compared with this attribute.
    var valueType: ValueType {
        switch self {
        case .name, .path, .folder, .pathExtension, .id, .eTag, .contentType, .owner, .group, .linkDestination,
            .checksum:
            .text
        case .size, .allocatedSize, .permissions, .linkCount, .childCount: .number
        case .modifiedDate, .creationDate, .accessedDate, .attributesModifiedDate: .date
        case .isDirectory, .isRegularFile, .isSymbolicLink, .isHidden, .isReadOnly, .isWritable: .flag
        case .type: .kind
        case .extra: .any
        }
    }
}

extension FileObject.Kind {
    /// The kind's name in queries and in JSON: `file`, `directory`, `symlink` or `other`.
    package var queryName: String {
        switch self {
        case .file: "file"
        case .directory: "directory"
        case .symlink: "symlink"
        case .other: "other"
        }
    }

    /// Reads a kind's name, or one that Foundation and others have for it.
    package init?(queryName: String) {
        switch queryName.lowercased() {
        case "file", "regular", "nsurlfileresourcetyperegular": self = .file
        case "directory", "folder", "dir", "nsurlfileresourcetypedirectory": self = .directory
        case "symlink", "link", "symboliclink", "nsurlfileresourcetypesymboliclink": self = .symlink
        case "other", "unknown", "nsurlfileresourcetypeunknown": self = .other
        default: return nil
        }
    }
}
