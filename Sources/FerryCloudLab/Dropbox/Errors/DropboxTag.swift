/// An error of a route: a tag, perhaps with another one or with fields inside.
struct DropboxTag: Error, Sendable {
    let json: JSONValue
    /// The tags from the outside in.
    let summary: [String]

    /// Makes a tag without a value.
    init(_ name: String) {
        json = [".tag": .string(name)]
        summary = [name]
    }

    /// Makes a tag whose value is another tag.
    init(_ name: String, _ inner: DropboxTag) {
        json = [".tag": .string(name), name: inner.json]
        summary = [name] + inner.summary
    }

    /// Makes a tag whose value is a structure.
    init(_ name: String, fields: [(String, JSONValue)], summary: [String] = []) {
        json = .object(JSONObject([(".tag", .string(name))] + fields))
        self.summary = [name] + summary
    }
}

extension DropboxTag {
    /// Returns the lookup error for a refusal of the storage.
    static func lookup(_ error: CloudError) -> DropboxTag {
        switch error {
        case .notFile: DropboxTag("not_file")
        case .notFolder: DropboxTag("not_folder")
        default: DropboxTag("not_found")
        }
    }

    /// Returns the write error for a refusal of the storage.
    static func write(_ error: CloudError) -> DropboxTag {
        switch error {
        case .fileConflict: DropboxTag("conflict", DropboxTag("file"))
        case .folderConflict: DropboxTag("conflict", DropboxTag("folder"))
        case .fileAncestor: DropboxTag("conflict", DropboxTag("file_ancestor"))
        case .insufficientSpace: DropboxTag("insufficient_space")
        case .disallowedName: DropboxTag("disallowed_name")
        default: DropboxTag("no_write_permission")
        }
    }

    static let malformedPath = DropboxTag("malformed_path")
}
