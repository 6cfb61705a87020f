import FerryCore

/// The item that a path of ``DropboxSharedFileProvider`` leads to, or into.
enum DropboxSharedPlace: Sendable {
    /// The root, which lists what is shared.
    case root
    /// A shared folder, or the path of an item in it.
    case folder(DropboxShownFolder, ItemPath)
    /// A shared file.
    case file(DropboxShownFile)
}
