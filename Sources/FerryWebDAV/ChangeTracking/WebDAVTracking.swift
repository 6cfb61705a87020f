/// How changes on a server are found.
package enum WebDAVTracking: Sendable, Hashable {
    /// The server tells them (RFC 6578).
    case reports
    /// A folder's eTag changes with everything below it: only folders with another eTag are listed.
    case folderTags
    /// Everything is listed and compared.
    case snapshots
}
