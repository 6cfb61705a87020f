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
