public import HTTPTypes

/// Sends a token that does not change (RFC 6750 §2.1): an app's own, or one that somebody else renews.
public struct BearerAuthenticator: HTTPAuthenticator {
    private let token: String
    private let scheme: String

    /// Makes an authenticator.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - scheme: The word before it; some services have one of their own.
    public init(token: String, scheme: String = "Bearer") {
        self.token = token
        self.scheme = scheme
    }

    /// Adds the token.
    ///
    /// - Parameter request: The request as it will be sent.
    public func authorize(_ request: inout HTTPRequest) {
        request.headerFields[.authorization] = "\(scheme) \(token)"
    }

    /// There is no other token.
    ///
    /// - Parameters:
    ///   - response: The refusal.
    ///   - request: The request that was sent.
    /// - Returns: `false`.
    public func renew(after response: HTTPResponse, of request: HTTPRequest) -> Bool { false }
}

extension BearerAuthenticator: CustomStringConvertible, CustomReflectable {
    /// Not the token.
    public var description: String { "\(scheme) <redacted>" }

    /// Not the token.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
