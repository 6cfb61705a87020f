package import FerryCore
package import FerryHTTP
import Foundation
import HTTPTypes

extension WebDAVConnection {
    /// The error that an answer means, whatever else may be known.
    ///
    /// - Parameters:
    ///   - reply: The answer, whose body is read.
    ///   - path: The item that the request was about.
    ///   - isWriting: `true` if the request was to change something.
    /// - Returns: The error of the table.
    package func error(of reply: HTTPReply, path: ItemPath, whileWriting isWriting: Bool = false) async -> any Error {
        do {
            return try await HTTPServerError.read(reply, path: path).mapped(whileWriting: isWriting)
        } catch {
            return error
        }
    }
}
