package import HTTPTypes

extension HTTPField.Name {
    /// A name that we know: a literal, so that only a mistake of ours could make it invalid, which its first use shows.
    ///
    /// - Parameter name: As it is sent.
    /// - Returns: The name.
    package static func known(_ name: StaticString) -> HTTPField.Name {
        // No server, file or caller comes into it: a `StaticString` stands in the source.
        guard let known = HTTPField.Name("\(name)") else { preconditionFailure("not a field: \(name)") }
        return known
    }
}

extension HTTPRequest.Method {
    /// A method that we know: a literal, so that only a mistake of ours could make it invalid, which its first use shows.
    ///
    /// - Parameter name: As it is sent.
    /// - Returns: The method.
    package static func known(_ name: StaticString) -> HTTPRequest.Method {
        // As above.
        guard let known = HTTPRequest.Method("\(name)") else { preconditionFailure("not a method: \(name)") }
        return known
    }
}
