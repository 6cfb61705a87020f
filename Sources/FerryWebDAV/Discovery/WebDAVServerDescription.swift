/// A server's description of itself.
public struct WebDAVServerDescription: Sendable, Hashable, Codable {
    /// The kind of server that it was found to be: `apache`, `nginx`, `lighttpd`, `wsgidav`, `golang`, `nextcloud`,
    /// `yandex`, `fastmail`, `unknown`.
    public let kind: String

    /// The `Server` field of its answers, which may be that of a proxy in front of it.
    public let software: String?

    /// The compliance classes of its `DAV` fields (RFC 4918 §10.1), in order.
    public let complianceClasses: [String]

    /// The methods of its `Allow` fields, in order.
    public let allowedMethods: [String]

    /// Indicates whether items can be locked there.
    public let hasLocks: Bool

    /// Describes what is known.
    ///
    /// - Parameter facts: The known facts about the server.
    package init(_ facts: WebDAVServerFacts) {
        hasLocks = facts.hasLocks
        kind = WebDAVServerKind(facts).rawValue
        software = facts.software
        complianceClasses = (facts.complianceClasses ?? []).sorted()
        allowedMethods = (facts.allowedMethods ?? []).sorted()
    }
}
