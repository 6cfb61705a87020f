/// One `response` of a multistatus document (RFC 4918 §14.24): an item, and what became of the request there.
package struct MultistatusEntry: Sendable {
    /// Properties that a server refused to tell or to change, with one status for all of them.
    package struct Refusal: Sendable, Hashable {
        /// The status code.
        package var status: Int
        /// The properties.
        package var names: [WebDAVPropertyName]
        /// The condition that was not met (RFC 4918 §16): what is in `DAV:error`.
        package var error: WebDAVElement?
        /// The server's words.
        package var description: String?
    }

    /// The item as the server writes it, white space at the ends removed: see ``HrefReader``.
    package internal(set) var href: [UInt8] = []

    /// The status code for the item as a whole; `nil` where there are only properties.
    package internal(set) var status: Int?

    /// The properties of all successful `propstat`s.
    package internal(set) var properties = WebDAVProperties()

    /// Indicates whether there was a successful `propstat`.
    package internal(set) var hasProperties = false

    /// The status with which the server refused to tell whether the item is a folder; `nil` if it told, or doesn't know.
    package internal(set) var kindRefusal: Int?

    /// Indicates whether every status in it, its own and its properties', is a success.
    package internal(set) var isSuccess = true

    /// The condition that was not met (RFC 4918 §16): what is in `DAV:error`.
    package internal(set) var error: WebDAVElement?

    /// The server's words.
    package internal(set) var description: String?

    /// The other `propstat`s, if they were asked for.
    package internal(set) var refusals: [Refusal] = []

    package init() {}

    /// The item as the server writes it.
    package var hrefText: String { String(decoding: href, as: UTF8.self) }
}
