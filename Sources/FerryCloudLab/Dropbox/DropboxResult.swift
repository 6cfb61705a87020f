/// A result of a call.
enum DropboxResult: Sendable {
    case json(JSONValue)
    /// A file: what describes it goes into a header.
    case download(JSONValue, CloudContent, version: Int)
}
