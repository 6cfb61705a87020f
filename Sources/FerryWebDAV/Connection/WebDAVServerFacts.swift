/// What is known about a server: nothing at first, more with its answers.
package struct WebDAVServerFacts: Sendable, Hashable {
    /// The `Server` field of its answers.
    package var software: String?

    /// The compliance classes of its `DAV` fields (RFC 4918 §10.1); `nil` until it was asked with `OPTIONS`.
    package var complianceClasses: Set<String>?

    /// The methods of its `Allow` fields; `nil` until it was asked with `OPTIONS`.
    package var allowedMethods: Set<String>?

    package init() {}
}
