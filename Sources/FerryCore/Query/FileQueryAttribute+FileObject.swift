import Foundation

/// The value of an item for an attribute; `nil` when it is unknown.
extension FileQuery.Attribute {
    func text(of file: FileObject) -> String? {
        switch self {
        case .name: file.name
        case .path: file.path.string
        case .folder: file.folder.string
        case .pathExtension: file.pathExtension
        case .type: file.type.queryName
        case .id: file.id
        case .eTag: file.eTag
        case .contentType: file.contentType
        case .owner: file.extras[.owner]
        case .group: file.extras[.group]
        case .linkDestination: file.extras[.linkDestination]
        case .checksum(let kind): file.extras[.checksums]?[kind]
        case .extra(let name): file.extras[FileObjectExtras.Key<String>(name)]
        case .size, .allocatedSize, .modifiedDate, .creationDate, .accessedDate, .attributesModifiedDate, .isDirectory,
            .isRegularFile, .isSymbolicLink, .isHidden, .isReadOnly, .isWritable, .permissions, .linkCount,
            .childCount:
            nil
        }
    }

    func integer(of file: FileObject) -> Int64? {
        switch self {
        case .size: file.size
        case .allocatedSize: file.extras[.allocatedSize]
        case .permissions: file.permissions.map { Int64($0) }
        case .linkCount: file.extras[.linkCount]
        case .childCount: file.extras[.childCount]
        default: nil
        }
    }

    /// Seconds since 2001 for dates.
    func decimal(of file: FileObject) -> Double? {
        switch self {
        case .modifiedDate: file.modifiedDate?.timeIntervalSinceReferenceDate
        case .creationDate: file.creationDate?.timeIntervalSinceReferenceDate
        case .accessedDate: file.extras[.accessDate]?.timeIntervalSinceReferenceDate
        case .attributesModifiedDate: file.extras[.attributeModificationDate]?.timeIntervalSinceReferenceDate
        case .extra(let name): Self.number(named: name, in: file.extras)
        default: nil
        }
    }

    func flag(of file: FileObject) -> Bool? {
        switch self {
        case .isDirectory: file.isDirectory
        case .isRegularFile: file.isRegularFile
        case .isSymbolicLink: file.isSymbolicLink
        case .isHidden: file.isHidden
        case .isReadOnly: file.extras[.isReadOnly]
        case .isWritable: file.extras[.isReadOnly].map { !$0 }
        case .extra(let name): file.extras[FileObjectExtras.Key<Bool>(name)]
        default: nil
        }
    }

    func isUnknown(of file: FileObject) -> Bool {
        switch valueType {
        case .text, .kind: text(of: file) == nil
        case .number: integer(of: file) == nil
        case .date: decimal(of: file) == nil
        case .flag: flag(of: file) == nil
        case .any:
            if case .extra(let name) = self { !file.extras.names.contains(name) } else { true }
        }
    }

    private static func number(named name: String, in extras: FileObjectExtras) -> Double? {
        if extras.isEmpty { return nil }
        if let number = extras[FileObjectExtras.Key<Double>(name)] { return number }
        if let number = extras[FileObjectExtras.Key<Int64>(name)] { return Double(number) }
        if let number = extras[FileObjectExtras.Key<Int>(name)] { return Double(number) }
        return extras[FileObjectExtras.Key<Date>(name)]?.timeIntervalSinceReferenceDate
    }
}
