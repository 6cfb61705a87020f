public import FerryCore
import Foundation
public import HTTPTypes

/// A user's name and password in each request (RFC 7617), or a token (RFC 6750).
///
/// Over HTTP without TLS anybody on the line can read it.
public struct BasicAuthenticator: HTTPAuthenticator {
    private let field: String?

    /// Makes an authenticator.
    ///
    /// - Parameter credential: A user with a password, or a token; without a secret nothing is sent.
    public init(_ credential: FileProviderCredential) {
        switch credential.secret {
        case .password(let password):
            let pair = Data("\(credential.user ?? ""):\(password)".utf8)
            field = "Basic \(pair.base64EncodedString())"
        case .token(let token): field = "Bearer \(token)"
        case nil: field = nil
        }
    }

    /// Adds the proof.
    ///
    /// - Parameter request: The request as it will be sent.
    public func authorize(_ request: inout HTTPRequest) {
        request.headerFields[.authorization] = field
    }

    /// There is no other proof.
    ///
    /// - Parameters:
    ///   - response: The refusal.
    ///   - request: What was sent.
    /// - Returns: `false`.
    public func renew(after response: HTTPResponse, of request: HTTPRequest) -> Bool { false }
}
