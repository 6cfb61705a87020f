/// A file that somebody shares with the account by itself.
struct DropboxSharedFile: Sendable, Hashable {
    /// The identifier, without its prefix.
    let id: String

    /// The name.
    let name: String

    /// The URL of the page that shows the file, by which it is read.
    let page: String
}
