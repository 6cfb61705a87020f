public import Foundation

extension FileObject {
    /// Returns what the storage tells of the item, by Foundation's key; `nil` for what is unknown, or has no meaning
    /// here.
    ///
    /// Values have the types that Foundation gives them: `String`, `Int`, `Bool`, `Date`, `URLFileResourceType`.
    ///
    /// - Parameter key: The property's key.
    public subscript(key: URLResourceKey) -> (any Sendable)? {
        switch key {
        case .nameKey, .localizedNameKey: name
        case .pathKey: path.string
        case .fileSizeKey, .totalFileSizeKey: size.map { Int(clamping: $0) }
        case .fileAllocatedSizeKey, .totalFileAllocatedSizeKey: extras[.allocatedSize].map { Int(clamping: $0) }
        case .contentModificationDateKey: modifiedDate
        case .creationDateKey: creationDate
        case .contentAccessDateKey: extras[.accessDate]
        case .attributeModificationDateKey: extras[.attributeModificationDate]
        case .isDirectoryKey: isDirectory
        case .isRegularFileKey: isRegularFile
        case .isSymbolicLinkKey: isSymbolicLink
        case .isHiddenKey: isHidden
        case .isWritableKey: extras[.isReadOnly].map { !$0 }
        case .fileResourceTypeKey: type.resourceType
        case .fileResourceIdentifierKey: id
        case .generationIdentifierKey: eTag
        case .linkCountKey: extras[.linkCount].map { Int(clamping: $0) }
        default: nil
        }
    }
}

extension FileObject.Kind {
    /// The kind as Foundation calls it.
    public var resourceType: URLFileResourceType {
        switch self {
        case .file: .regular
        case .directory: .directory
        case .symlink: .symbolicLink
        case .other: .unknown
        }
    }

    /// Makes a kind of Foundation's.
    ///
    /// - Parameter resourceType: The kind as Foundation calls it; sockets and devices are ``other``.
    public init(resourceType: URLFileResourceType) {
        switch resourceType {
        case .regular: self = .file
        case .directory: self = .directory
        case .symbolicLink: self = .symlink
        default: self = .other
        }
    }
}
