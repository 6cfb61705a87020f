/// An XML element with all that is in it: the value of a property that is more than a number or a date.
public struct WebDAVElement: Sendable, Hashable {
    /// The element's name.
    public let name: WebDAVPropertyName

    /// The text directly in the element; of an element with children without white space at both ends.
    public internal(set) var text: String

    /// The elements directly in the element, in their order.
    public internal(set) var children: [WebDAVElement]

    /// Makes an element.
    ///
    /// - Parameters:
    ///   - name: The element's name.
    ///   - text: The text directly in it.
    ///   - children: The elements directly in it.
    public init(_ name: WebDAVPropertyName, text: String = "", children: [WebDAVElement] = []) {
        self.name = name
        self.text = text
        self.children = children
    }

    /// The first child of a name.
    ///
    /// - Parameter name: A child's name.
    /// - Returns: The child, or `nil` if there is none.
    public func first(_ name: WebDAVPropertyName) -> WebDAVElement? {
        children.first { $0.name == name }
    }

    /// The first child of a name that WebDAV itself gives.
    ///
    /// - Parameter name: A name in the namespace `DAV:`.
    /// - Returns: The child, or `nil` if there is none.
    public func first(_ name: String) -> WebDAVElement? {
        children.first { $0.name.name == name && $0.name.namespace == WebDAVPropertyName.dav }
    }

    /// The text as a whole number.
    public var integer: Int64? {
        var text = text
        return text.withUTF8 { $0.trimmed.integer }
    }
}
