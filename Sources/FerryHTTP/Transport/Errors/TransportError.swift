import FerryCore
import Foundation
import NIOCore
import NIOPosix
import NIOSSL

/// Turns what NIO, BoringSSL and the system throw into the errors of the table.
enum TransportError {
    /// Returns what a caller sees.
    ///
    /// - Parameters:
    ///   - error: The error that was thrown.
    ///   - isOnLine: `true` if the request had come to a connection.
    /// - Returns: A `URLError` with the error inside, `CancellationError`, or the error itself if it is ours.
    static func mapped(_ error: any Error, isOnLine: Bool) -> any Error {
        switch error {
        case is CancellationError, is URLError, is StaleConnectionError: error
        case let error as NIOConnectionError: connectionError(error)
        case let error as NIOSSLError: tlsError(error)
        case let error as BoringSSLError: tlsError(error, description: String(describing: error))
        case let error as NIOSSLExtraError: hostNameError(error)
        case let error as ChannelError: channelError(error)
        case let error as IOError: systemError(error)
        default:
            URLError.answer(
                isOnLine ? .networkConnectionLost : .cannotConnectToHost,
                description: isOnLine ? "the connection is lost" : "there is no connection to the server",
                underlying: error
            )
        }
    }

    private static func connectionError(_ error: NIOConnectionError) -> any Error {
        guard let first = error.connectionErrors.first?.error else {
            return answer(.cannotFindHost, "there is no host of that name", error)
        }
        switch first {
        case ChannelError.connectTimeout: return URLError.connectionTimeOut(underlying: error)
        case let first as IOError where POSIXErrorCode(rawValue: first.errnoCode) == .ETIMEDOUT:
            return URLError.connectionTimeOut(underlying: error)
        default: return answer(.cannotConnectToHost, "there is no connection to the server", error)
        }
    }

    private static func channelError(_ error: ChannelError) -> any Error {
        switch error {
        case .connectTimeout: URLError.connectionTimeOut(underlying: error)
        default: answer(.networkConnectionLost, "the connection is lost", error)
        }
    }

    private static func systemError(_ error: IOError) -> any Error {
        switch POSIXErrorCode(rawValue: error.errnoCode) {
        case .ETIMEDOUT: URLError.connectionTimeOut(underlying: error)
        case .ECONNRESET, .EPIPE, .ECONNABORTED, .ENOTCONN, .ESHUTDOWN, .ENETRESET:
            answer(.networkConnectionLost, "the connection is lost", error)
        default:
            answer(.cannotConnectToHost, "there is no connection to the server", error)
        }
    }

    // MARK: TLS

    private static func tlsError(_ error: NIOSSLError) -> any Error {
        switch error {
        case .handshakeFailed(let inner): tlsError(error, description: String(describing: inner))
        case .uncleanShutdown: answer(.networkConnectionLost, "the connection is lost", error)
        case .noCertificateToValidate, .unableToValidateCertificate, .cannotFindPeerIP:
            answer(.serverCertificateUntrusted, "the server's certificate can't be trusted", error)
        default: answer(.secureConnectionFailed, "there is no secure connection to the server", error)
        }
    }

    /// BoringSSL tells its reasons in words only (`ssl_errors`, as in `SSL_R_…` of its `ssl.h`).
    private static func tlsError(_ error: any Error, description: String) -> any Error {
        let says = { (reasons: [String]) in reasons.contains { description.contains($0) } }
        if says(["CERTIFICATE_VERIFY_FAILED"]) {
            return answer(.serverCertificateUntrusted, "the server's certificate can't be trusted", error)
        }
        if says(["ALERT_CERTIFICATE_REQUIRED"]) {
            return answer(.clientCertificateRequired, "the server asks for a client certificate", error)
        }
        // The server's alerts about a certificate can only be about ours (RFC 8446 §6.2).
        if says([
            "ALERT_BAD_CERTIFICATE", "ALERT_UNSUPPORTED_CERTIFICATE", "ALERT_CERTIFICATE_REVOKED",
            "ALERT_CERTIFICATE_EXPIRED", "ALERT_CERTIFICATE_UNKNOWN", "ALERT_UNKNOWN_CA", "ALERT_ACCESS_DENIED",
        ]) {
            return answer(.clientCertificateRejected, "the server doesn't take our client certificate", error)
        }
        if says(["EOF during handshake"]) {
            return answer(.networkConnectionLost, "the connection is lost", error)
        }
        return answer(.secureConnectionFailed, "there is no secure connection to the server", error)
    }

    private static func hostNameError(_ error: NIOSSLExtraError) -> any Error {
        switch error {
        case .failedToValidateHostname, .serverHostnameImpossibleToMatch:
            answer(.serverCertificateUntrusted, "the server's certificate is another host's", error)
        default:
            answer(.secureConnectionFailed, "there is no secure connection to the server", error)
        }
    }

    private static func answer(_ code: URLError.Code, _ description: String, _ error: any Error) -> URLError {
        .answer(code, description: description, underlying: error)
    }
}
