public import Foundation

/// The properties of one item on a server: those that each server has, and the others that were asked for.
///
/// `nil` is what the server doesn't know, or has left empty. Only properties of a successful `propstat` are here.
public struct WebDAVProperties: Sendable, Hashable {
    /// Indicates whether the item is a folder: `resourcetype` with a `collection` in it.
    public package(set) var isCollection: Bool?

    /// Bytes, at least 0: `getcontentlength`.
    ///
    /// Some servers give one for folders, where it means nothing.
    public package(set) var contentLength: Int64?

    /// The date at which the content last changed: `getlastmodified`.
    public package(set) var modifiedDate: Date?

    /// The date at which the item was created: `creationdate`.
    public package(set) var creationDate: Date?

    /// The content's version as `EntityTag` writes it: `getetag`.
    public package(set) var eTag: String?

    /// The media type: `getcontenttype`.
    public package(set) var contentType: String?

    /// A name for people, which need not be the item's: `displayname`.
    public package(set) var displayName: String?

    /// Bytes that can still be written (RFC 4331 §3); Nextcloud has negative numbers for "no limit" and "unknown".
    public package(set) var quotaAvailable: Int64?

    /// Bytes that are in use (RFC 4331 §4).
    public package(set) var quotaUsed: Int64?

    /// The properties beyond these that were asked for and found, in the server's order.
    public package(set) var others: [WebDAVElement] = []

    /// Makes a value in which nothing is known.
    package init() {}

    /// A property that was asked for by name.
    public subscript(name: WebDAVPropertyName) -> WebDAVElement? {
        others.first { $0.name == name }
    }

    /// Adds what another `propstat` says; what is known already stays.
    mutating func merge(_ other: WebDAVProperties) {
        isCollection = isCollection ?? other.isCollection
        contentLength = contentLength ?? other.contentLength
        modifiedDate = modifiedDate ?? other.modifiedDate
        creationDate = creationDate ?? other.creationDate
        eTag = eTag ?? other.eTag
        contentType = contentType ?? other.contentType
        displayName = displayName ?? other.displayName
        quotaAvailable = quotaAvailable ?? other.quotaAvailable
        quotaUsed = quotaUsed ?? other.quotaUsed
        others += other.others
    }
}

/// The name of a property, or of any XML element: a name in a namespace.
public struct WebDAVPropertyName: Sendable, Hashable, Codable {
    /// The namespace, which keeps equal names of different makers apart: `DAV:`, `http://owncloud.org/ns`.
    public let namespace: String

    /// The name in the namespace, without any prefix.
    public let name: String

    /// Makes a name.
    ///
    /// - Parameters:
    ///   - name: The name, without a prefix; it must be one that XML allows.
    ///   - namespace: Its namespace.
    public init(_ name: String, namespace: String = WebDAVPropertyName.dav) {
        self.namespace = namespace
        self.name = name
    }

    /// WebDAV's own namespace (RFC 4918 §21).
    public static let dav = "DAV:"

    /// The media type (RFC 4918 §15.5).
    package static let contentType = WebDAVPropertyName("getcontenttype")
}
