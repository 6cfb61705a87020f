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
