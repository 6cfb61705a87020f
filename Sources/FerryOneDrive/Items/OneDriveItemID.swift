import FerryCore

/// The identifier of an item, with that of its drive where this is not the provider's own.
///
/// As text it is the item's identifier, or `drive#item`.
struct OneDriveItemID: Sendable, Hashable {
    /// The identifier of the drive; `nil` for the provider's own.
    let drive: String?

    /// The identifier of the item in its drive.
    let item: String

    /// Makes an identifier.
    ///
    /// - Parameters:
    ///   - drive: The identifier of the drive; `nil` for the provider's own.
    ///   - item: The identifier of the item in its drive.
    init(drive: String? = nil, item: String) {
        self.drive = drive
        self.item = item
    }

    /// Reads a text.
    ///
    /// - Parameter text: The text of an `id:` path.
    init(_ text: String) {
        if let mark = text.firstIndex(of: "#"), mark != text.startIndex {
            self.init(drive: String(text[..<mark]), item: String(text[text.index(after: mark)...]))
        } else {
            self.init(item: text)
        }
    }

    /// The identifier as a text.
    var text: String { drive.map { "\($0)#\(item)" } ?? item }

    /// The path that leads to the item.
    var path: ItemPath { ItemPath(identifier: text) }
}

/// An earlier content of a file: `rev:` paths hold `item@version`.
struct OneDriveRevision: Sendable, Hashable {
    /// The file.
    let file: OneDriveItemID

    /// The version's identifier, which is unique among those of the file.
    let version: String

    /// Makes a revision.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - version: The version's identifier.
    init(of file: OneDriveItemID, version: String) {
        self.file = file
        self.version = version
    }

    /// Reads a path; any other than one of a revision makes none.
    ///
    /// - Parameter path: A `rev:` path.
    init?(_ path: ItemPath) {
        guard let text = path.revision, let mark = text.lastIndex(of: "@"), mark != text.startIndex else { return nil }
        let version = String(text[text.index(after: mark)...])
        guard !version.isEmpty else { return nil }
        self.init(of: OneDriveItemID(String(text[..<mark])), version: version)
    }

    /// The path that leads to the content.
    var path: ItemPath { ItemPath(revision: "\(file.text)@\(version)") }
}
