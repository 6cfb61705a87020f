import CCurl
public import FerryCore
public import Foundation

/// Why a call did not do what it should, before anybody knows what that means for the caller.
enum FTPFailure: Error {
    /// The server refused.
    case refusal(FTPReply)
    /// The login was refused.
    case login(FTPReply)
    /// There are connections enough, says the server.
    case tooManyConnections(FTPReply)
    /// The control connection had gone before anything was sent.
    case stale
    /// The line broke, or could not be made.
    case line(code: UInt32, message: String, reply: FTPReply?)
    /// The control connection could not be made; the system's error, 0 if it gave none.
    case unreachable(systemError: Int)
    /// The connection for data, which the server has offered, could not be made.
    case dataConnection(message: String)
    /// The server was silent for too long.
    case timedOut
    /// An answer that makes no sense.
    case senseless(String)
    /// A transfer ended without the reply that says that it is whole.
    case incomplete(FTPReply?)

    /// Indicates whether the same call can succeed on another connection, without having done anything on this one.
    ///
    /// Of a transfer that holds only if nothing of its content has passed: the pool asks for that.
    var isWorthAnotherConnection: Bool {
        switch self {
        case .stale, .dataConnection: true
        // 421: the command was not done. 425 and 522: no data connection, or one without the session of the control
        // connection.
        case .refusal(let reply): [421, 425, 522].contains(reply.code)
        // A data connection whose handshake failed, as where its TLS session can't be resumed.
        case .line(let code, _, _): code == CURLE_SSL_CONNECT_ERROR.rawValue
        default: false
        }
    }

    /// Indicates whether repeating does no harm where the call only asks.
    var isWorthAnotherQuestion: Bool {
        switch self {
        case .line(let code, _, _): !Self.isAboutTrust(code) && !Self.isAboutReaching(code)
        case .incomplete: true
        case .refusal(let reply): [421, 425, 426, 522].contains(reply.code)
        case .stale, .dataConnection: true
        default: false
        }
    }

    static func isAboutTrust(_ code: UInt32) -> Bool {
        [
            CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_USE_SSL_FAILED,
            CURLE_SSL_CERTPROBLEM, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
        ]
        .contains { $0.rawValue == code }
    }

    static func isAboutReaching(_ code: UInt32) -> Bool {
        [CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY].contains {
            $0.rawValue == code
        }
    }
}

/// A server's refusal in its own words: the *underlying* error where a Foundation code exists for the situation.
public struct FTPServerError: LocalizedError, Sendable, Hashable {
    /// The reply code (RFC 959 §4.2), 400…599.
    public let replyCode: Int

    /// The item that the command was about.
    public let path: ItemPath

    /// The server's own words, text only and bounded.
    public let serverDescription: String

    /// The error in words.
    public var errorDescription: String? { "the server answered \(replyCode) \(serverDescription)" }
}
