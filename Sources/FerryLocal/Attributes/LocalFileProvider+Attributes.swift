public import FerryCore
public import Foundation

extension LocalFileProvider: FileProviderItemAttributes {
    /// All there is.
    public var settableAttributes: ItemAttributes.Kinds {
        [.fileDates, .folderDates, .permissions, .extendedAttributes]
    }

    /// Sets attributes, the date last.
    ///
    /// - Parameters:
    ///   - attributes: The attributes to set.
    ///   - path: The item; of a link the link itself, which has a date only.
    /// - Throws: `CocoaError.fileNoSuchFile`, `.fileWriteNoPermission`; `.featureUnsupported` once all else is set, if the
    ///   file system refuses extended attributes, or some of them.
    public func setAttributes(_ attributes: ItemAttributes, path: ItemPath) async throws {
        if attributes.isEmpty { return }
        try await runBriefly(writing: [path]) { [base] in
            try mapping(.naming, path) {
                let place = try base.place(of: path)
                let status = try place.status()
                var refused: [String] = []
                if !status.isLink {
                    refused = try Self.setExtendedAttributes(attributes.extendedAttributes, at: place, status)
                    if let permissions = attributes.permissions {
                        try place.folder.setPermissions(of: place.name, mode_t(permissions))
                    }
                }
                if let date = attributes.modifiedDate {
                    try place.folder.setDates(of: place.name, accessed: status.accessed, modified: timespec(date))
                }
                if !refused.isEmpty { throw CocoaError.unsupported("the attribute \(refused[0])", path: path) }
            }
        }
    }

    /// - Returns: The names of those that the file system refuses.
    private static func setExtendedAttributes(
        _ values: [String: Data],
        at place: Place,
        _ status: FileStatus
    ) throws(Errno) -> [String] {
        if values.isEmpty { return [] }
        var refused: [String] = []
        let item = try place.folder.open(place.name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW)
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            do {
                let bytes = NameEscape.bytes(ofName: name).map { CChar(bitPattern: $0) } + [0]
                try item.setExtendedAttribute(bytes, Array(value))
            } catch {
                guard error.isUnsupported || error.isAny(of: EPERM, EACCES, ERANGE, E2BIG, ENOSPC, EDQUOT) else {
                    throw error
                }
                refused.append(name)
            }
        }
        return refused
    }

    /// The extended attributes of an item, those of the system (`system.`, `security.`) left out.
    ///
    /// - Parameter path: A file or folder.
    /// - Returns: Values by name; none of what is neither.
    /// - Throws: `CocoaError.fileNoSuchFile`, `.fileReadNoPermission`.
    public func extendedAttributes(path: ItemPath) async throws -> [String: Data] {
        try await run(reading: [path]) { [base] in
            try mapping(.reading, path) {
                let place = try base.place(of: path)
                let status = try place.status()
                guard status.isFile || status.isFolder else { return [:] }
                return try Self.extendedAttributes(
                    of: try place.folder.open(place.name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW)
                )
            }
        }
    }

    private static func extendedAttributes(of item: Descriptor) throws(Errno) -> [String: Data] {
        var values: [String: Data] = [:]
        do {
            for name in try item.extendedAttributeNames() {
                let text = name.linkText
                if text.hasPrefix("system.") || text.hasPrefix("security.") { continue }
                do {
                    values[text] = Data(try item.extendedAttribute(name))
                } catch let error where error.isAny(of: ENODATA) {
                    continue  // vanished meanwhile
                }
            }
        } catch let error where error.isUnsupported {
            return [:]
        }
        return values
    }
}
