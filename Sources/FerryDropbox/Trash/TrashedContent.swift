import FerryCore

/// An item of a folder that was removed.
struct TrashedContent: Sendable, Hashable {
    /// Its path below the folder.
    let path: ItemPath

    /// The last revision of a file; `nil` for a folder.
    let rev: String?
}
