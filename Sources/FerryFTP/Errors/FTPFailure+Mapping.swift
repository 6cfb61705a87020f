import CCurl
import FerryCore
import Foundation

extension FTPFailure {
    /// The error that a caller sees.
    ///
    /// - Parameters:
    ///   - path: The item that the call was about.
    ///   - isWriting: `true` if something was to be changed.
    ///   - address: Where the server is.
    /// - Returns: An error of Foundation's, with what the server said inside.
    func mapped(path: ItemPath, isWriting: Bool, at address: FTPAddress) -> any Error {
        switch self {
        case .refusal(let reply): Self.error(reply, path: path, isWriting: isWriting)
        case .login(let reply):
            URLError.answer(
                .userAuthenticationRequired,
                description: "the server refused the login",
                suggestion: "check the user's name and the password",
                underlying: FTPServerError(reply, path)
            )
        case .tooManyConnections(let reply):
            URLError.answer(
                .cannotConnectToHost,
                description: "the server takes no more connections",
                suggestion: "try again later, or set the option connections to a smaller number",
                underlying: FTPServerError(reply, path)
            )
        case .stale: URLError.answer(.networkConnectionLost, description: "the server closed the connection")
        case .unreachable(let code): Self.unreachable(address, because: code)
        case .dataConnection(let message):
            URLError.answer(
                .cannotConnectToHost,
                description: "no connection for data can be made to \(address.host): \(message)",
                suggestion: "where something in between lets none through, the option active=true may help"
            )
        case .timedOut: URLError.answer(.timedOut, description: "\(address.host) did not answer in time")
        case .senseless(let words): URLError.answer(.cannotParseResponse, description: words)
        case .incomplete(let reply):
            URLError.answer(
                .networkConnectionLost,
                description: "the transfer ended before the server said that it is complete",
                underlying: reply.map { FTPServerError($0, path) }
            )
        case .line(let code, let message, let reply): Self.error(code, message, reply, path: path, at: address)
        }
    }

    private static func unreachable(_ address: FTPAddress, because code: Int) -> URLError {
        let cause = POSIXErrorCode(rawValue: Int32(truncatingIfNeeded: code)).map { POSIXError($0) }
        let reason = cause.map { " (\(String(cString: strerror($0.code.rawValue)).lowercased()))" } ?? ""
        return .answer(
            .cannotConnectToHost,
            description: "\(address.host) does not answer at port \(address.port)\(reason)",
            underlying: cause
        )
    }

    private static func error(_ reply: FTPReply, path: ItemPath, isWriting: Bool) -> any Error {
        let underlying = FTPServerError(reply, path)
        func file(_ code: CocoaError.Code) -> CocoaError { .file(code, path: path, underlying: underlying) }
        return switch FTPRefusalMeaning(reply) {
        case .missing: file(.fileNoSuchFile)
        case .denied: file(isWriting ? .fileWriteNoPermission : .fileReadNoPermission)
        case .readOnly: file(.fileWriteVolumeReadOnly)
        case .exists: file(.fileWriteFileExists)
        case .notAFolder: CocoaError.notAFolder(path, whileWriting: isWriting)
        case .isAFolder: isWriting ? CocoaError.itemExists(path, underlying: underlying) : CocoaError.isAFolder(path)
        case .full: file(.fileWriteOutOfSpace)
        case .badName: file(.fileWriteInvalidFileName)
        case .unsupported: file(.featureUnsupported)
        case .notLoggedIn:
            URLError.answer(
                .userAuthenticationRequired,
                description: "the server wants a login",
                underlying: underlying
            )
        case .unavailable:
            URLError.answer(
                .networkConnectionLost,
                description: "the server can't transfer now",
                underlying: underlying
            )
        case .unclear: file(isWriting ? .fileWriteUnknown : .fileReadUnknown)
        }
    }

    private static func error(
        _ code: UInt32,
        _ message: String,
        _ reply: FTPReply?,
        path: ItemPath,
        at address: FTPAddress
    ) -> any Error {
        let underlying = reply.flatMap { $0.isRefusal ? FTPServerError($0, path) : nil }
        func error(_ code: URLError.Code, _ words: String, _ suggestion: String? = nil) -> URLError {
            .answer(code, description: words, suggestion: suggestion, underlying: underlying)
        }
        switch CURLcode(rawValue: code) {
        case CURLE_COULDNT_RESOLVE_HOST: return error(.cannotFindHost, "no host is called \(address.host)")
        case CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: return unreachable(address, because: 0)
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH:
            return error(
                .serverCertificateUntrusted,
                "the server's certificate can't be trusted",
                "if it is the right one, name it or its authority with the option certificate-authority"
            )
        case CURLE_SSL_CACERT_BADFILE:
            return error(.serverCertificateUntrusted, "the file of trusted certificates can't be read")
        case CURLE_SSL_CERTPROBLEM: return error(.clientCertificateRejected, "our own certificate can't be used")
        case CURLE_USE_SSL_FAILED:
            return error(
                .secureConnectionFailed,
                "the server offers no TLS",
                "plain FTP shows the password to everybody on the way: it is used only with the option tls=none"
            )
        case CURLE_SSL_CONNECT_ERROR:
            return error(
                .secureConnectionFailed,
                "no TLS connection could be made",
                "a server that accepts TLS 1.3 only needs the option tls-max=1.3, with which libcurl before 8.23 "
                    + "can lose the end of a transfer"
            )
        case CURLE_OPERATION_TIMEDOUT: return error(.timedOut, "\(address.host) did not answer in time")
        case CURLE_WEIRD_SERVER_REPLY, CURLE_FTP_WEIRD_PASS_REPLY, CURLE_FTP_WEIRD_PASV_REPLY,
            CURLE_FTP_WEIRD_227_FORMAT, CURLE_UNSUPPORTED_PROTOCOL:
            return error(.cannotParseResponse, "what the server says is not FTP")
        default: return error(.networkConnectionLost, "the connection broke: \(message)")
        }
    }
}

extension FTPServerError {
    init(_ reply: FTPReply, _ path: ItemPath) {
        self.init(replyCode: reply.code, path: path, serverDescription: reply.text)
    }
}
