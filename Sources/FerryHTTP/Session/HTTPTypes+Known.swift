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

extension HTTPFields {
    /// Returns what a field says, as the subscript tells it, which takes several times as long for a field that is
    /// there once.
    ///
    /// - Parameter name: The field's name.
    /// - Returns: Its value; of several with that name all, with commas between them; `nil` if there is none.
    package func text(_ name: HTTPField.Name) -> String? {
        guard let index = firstIndex(where: { $0.name == name }) else { return nil }
        if self[(index + 1)...].contains(where: { $0.name == name }) { return self[name] }
        return self[index].value
    }
}
