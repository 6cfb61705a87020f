package import FerryCore
package import Foundation
import HTTPTypes

/// A server's own answer in the words of its API, which say more than the status does.
package protocol APIRefusal: FileProviderHTTPError, RetryAfterError {
    /// A Boolean value that indicates whether the server has failed, and may have done what was asked.
    var isTransient: Bool { get }

    /// Returns the error that a caller sees; the refusal is inside it.
    ///
    /// - Parameters:
    ///   - isWriting: A Boolean value that indicates whether the request was to change something.
    ///   - target: The item that was to be written, if it is another one than ``FileProviderHTTPError/path``.
    /// - Returns: The error.
    func mapped(whileWriting isWriting: Bool, target: ItemPath?) -> any Error
}

extension APIRefusal {
    /// Returns the error that a caller sees for the status alone; the refusal is inside it.
    ///
    /// - Parameter isWriting: A Boolean value that indicates whether the request was to change something.
    /// - Returns: The error.
    package func mappedByStatus(whileWriting isWriting: Bool) -> any Error {
        let plain = HTTPServerError(
            HTTPResponse.Status(code: statusCode),
            path: path,
            serverDescription: serverDescription,
            retryAfter: retryAfter
        )
        return switch plain.mapped(whileWriting: isWriting) {
        case let error as CocoaError:
            CocoaError(error.code, userInfo: error.userInfo.merging([NSUnderlyingErrorKey: self]) { $1 })
        case let error as URLError:
            URLError(error.code, userInfo: error.userInfo.merging([NSUnderlyingErrorKey: self]) { $1 })
        default: self
        }
    }

    /// Returns the beginning of a body that is plain text; `nil` for anything else.
    ///
    /// - Parameter body: The body.
    /// - Returns: The text.
    package static func plainText(_ body: Data) -> String? {
        guard !body.isEmpty else { return nil }
        let text = String(decoding: body.prefix(1_000), as: UTF8.self)
        return text.contains("<") || text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" } ? nil : text
    }
}

extension Error {
    /// A Boolean value that indicates whether a request may have been carried out, although it failed.
    package var mayHaveBeenDone: Bool {
        if let refusal = self as? any APIRefusal { return refusal.isTransient }
        guard let error = self as? URLError else { return false }
        return switch error.code {
        case .networkConnectionLost, .timedOut, .badServerResponse: true
        default: false
        }
    }
}

extension Error {
    /// A Boolean value that indicates whether something may have been done, although it failed: the answer was lost, or
    /// can't be read.
    package var leavesDoubt: Bool {
        mayHaveBeenDone || [.cannotParseResponse, .dataLengthExceedsMaximum].contains((self as? URLError)?.code)
    }
}

/// Throws the errors that callers see in place of refusals.
///
/// - Parameters:
///   - isWriting: A Boolean value that indicates whether something is written.
///   - target: The item that is written, if it is another one than the refusal is about.
///   - isolation: The actor of the caller.
///   - body: The work.
/// - Returns: The result of the body.
/// - Throws: Any error that the body throws, mapped.
package func mappingRefusals<Value>(
    whileWriting isWriting: Bool = false,
    target: ItemPath? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Value
) async throws -> Value {
    do {
        return try await body()
    } catch let error as any APIRefusal {
        throw error.mapped(whileWriting: isWriting, target: target)
    }
}
