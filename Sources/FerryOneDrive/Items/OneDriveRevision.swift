import FerryCore

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
