import FerryCore
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Turns what a `URLSession` throws into the errors of the table.
enum URLSessionFailure {
    /// Returns what a caller sees.
    ///
    /// - Parameter error: The error that was thrown.
    /// - Returns: A `URLError` of the table, `CancellationError`, or the error itself if it is ours.
    static func mapped(_ error: any Error) -> any Error {
        if error is CancellationError { return error }
        guard let error = error as? URLError else {
            return URLError.answer(.networkConnectionLost, description: "the connection is lost", underlying: error)
        }
        // On Linux, only libcurl's words tell what happened (`curl_easy_strerror`, and what its transfers say).
        let says = { (words: [String]) in words.contains { error.localizedDescription.contains($0) } }
        switch error.code {
        case .cancelled:
            return CancellationError()
        case .badServerResponse where says(["Empty reply"]),
            .unknown where says(["transfer closed", "Recv failure", "Send failure"]):
            return URLError.answer(.networkConnectionLost, description: "the connection is lost", underlying: error)
        case .unknown where says(["certificate"]), .secureConnectionFailed where says(["certificate"]):
            let description = "the server's certificate can't be trusted"
            return URLError.answer(.serverCertificateUntrusted, description: description, underlying: error)
        case .unknown where says(["SSL", "TLS"]):
            let description = "there is no secure connection to the server"
            return URLError.answer(.secureConnectionFailed, description: description, underlying: error)
        case .badServerResponse, .cannotDecodeRawData, .unsupportedURL, .unknown:
            // On Linux, most of what libcurl finds wrong with an answer comes as one of the last two.
            return URLError.answer(.cannotParseResponse, description: "the answer makes no sense", underlying: error)
        default:
            return error
        }
    }
}
