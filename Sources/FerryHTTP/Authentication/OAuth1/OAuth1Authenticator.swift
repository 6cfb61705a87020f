import FerryCore
import FerryCrypto
import Foundation
public import HTTPTypes

/// Signs requests as OAuth 1.0 wants it (RFC 5849), for services that still do.
///
/// ```swift
/// let session = HTTPSession(
///     transport: NIOTransport(),
///     origins: [api],
///     authenticator: OAuth1Authenticator(
///         consumerKey: "app",
///         consumerSecret: appSecret,
///         token: token,
///         tokenSecret: tokenSecret
///     ),
///     logger: logger
/// )
/// ```
///
/// The parameters of the URL are signed, those of a form in the body are not: send them in the URL.
public struct OAuth1Authenticator: HTTPAuthenticator {
    /// The function that signs (RFC 5849 §3.4).
    public enum SignatureMethod: String, Sendable, Hashable, Codable {
        /// HMAC with SHA-1, which every service knows.
        case hmacSHA1 = "HMAC-SHA1"
        /// HMAC with SHA-256, which some services have added.
        case hmacSHA256 = "HMAC-SHA256"
    }

    private let consumerKey: String
    private let consumerSecret: String
    private let token: String?
    private let tokenSecret: String
    private let method: SignatureMethod
    private let realm: String?
    private let now: @Sendable () -> Date
    private let makeNonce: @Sendable () -> String

    /// Makes an authenticator.
    ///
    /// - Parameters:
    ///   - consumerKey: The app's identifier at the service.
    ///   - consumerSecret: The app's secret.
    ///   - token: The token that the user has granted; `nil` for a request that is the app's alone.
    ///   - tokenSecret: The token's secret.
    ///   - method: The function that signs.
    ///   - realm: The realm that the service wants to be named; `nil` for none.
    public init(
        consumerKey: String,
        consumerSecret: String,
        token: String? = nil,
        tokenSecret: String = "",
        method: SignatureMethod = .hmacSHA1,
        realm: String? = nil
    ) {
        self.init(
            consumerKey: consumerKey,
            consumerSecret: consumerSecret,
            token: token,
            tokenSecret: tokenSecret,
            method: method,
            realm: realm,
            now: { Date() },
            makeNonce: { UUID().uuidString.lowercased() }
        )
    }

    init(
        consumerKey: String,
        consumerSecret: String,
        token: String?,
        tokenSecret: String,
        method: SignatureMethod = .hmacSHA1,
        realm: String? = nil,
        now: @escaping @Sendable () -> Date,
        makeNonce: @escaping @Sendable () -> String
    ) {
        self.consumerKey = consumerKey
        self.consumerSecret = consumerSecret
        self.token = token
        self.tokenSecret = tokenSecret
        self.method = method
        self.realm = realm
        self.now = now
        self.makeNonce = makeNonce
    }

    /// Signs the request, with a time and a number of its own.
    ///
    /// - Parameter request: The request as it will be sent.
    public func authorize(_ request: inout HTTPRequest) {
        var parameters = [
            ("oauth_consumer_key", consumerKey), ("oauth_nonce", makeNonce()),
            ("oauth_signature_method", method.rawValue),
            ("oauth_timestamp", String(Int64(now().timeIntervalSince1970))),
        ]
        if let token { parameters.append(("oauth_token", token)) }
        let base = OAuth1BaseString(request, parameters).text
        let key = "\(consumerSecret.oauthEscaped)&\(tokenSecret.oauthEscaped)"
        let signature = HMAC(method == .hmacSHA1 ? .sha1 : .sha256, key: Array(key.utf8)).code(of: Array(base.utf8))
        parameters.append(("oauth_signature", Data(signature).base64EncodedString()))
        let named = realm.map { ["realm=\"\($0.oauthEscaped)\""] } ?? []
        let fields = named + parameters.map { "\($0)=\"\($1.oauthEscaped)\"" }
        request.headerFields[.authorization] = "OAuth " + fields.joined(separator: ", ")
    }

    /// There is nothing better: each request was signed anew.
    ///
    /// - Parameters:
    ///   - response: The refusal.
    ///   - request: The request that was sent.
    /// - Returns: `false`.
    public func renew(after response: HTTPResponse, of request: HTTPRequest) -> Bool { false }
}

extension OAuth1Authenticator: CustomStringConvertible, CustomReflectable {
    /// The app, without its secret.
    public var description: String { "OAuth 1 as \(consumerKey) <redacted>" }

    /// Shows no secret to `dump` either.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A message authentication code by a hash function (RFC 2104).
struct HMAC {
    private static let blockSize = 64

    private let algorithm: HashAlgorithm
    private let key: [UInt8]

    /// Makes the function of a key.
    ///
    /// - Parameters:
    ///   - algorithm: The hash function, whose blocks have 64 bytes.
    ///   - key: The key, of any length.
    init(_ algorithm: HashAlgorithm, key: [UInt8]) {
        self.algorithm = algorithm
        let short = key.count > Self.blockSize ? algorithm.hash(key) : key
        self.key = short + [UInt8](repeating: 0, count: Self.blockSize - short.count)
    }

    /// Computes the code of a message.
    ///
    /// - Parameter message: The message.
    /// - Returns: As many bytes as the hash has.
    func code(of message: [UInt8]) -> [UInt8] {
        let inner = algorithm.hash(key.map { $0 ^ 0x36 } + message)
        return algorithm.hash(key.map { $0 ^ 0x5C } + inner)
    }
}
