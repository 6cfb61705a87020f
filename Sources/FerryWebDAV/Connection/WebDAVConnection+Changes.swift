package import FerryCore
package import FerryHTTP
import Foundation
package import HTTPTypes

extension WebDAVConnection {
    /// Sends a request that changes an item.
    ///
    /// - Parameters:
    ///   - method: What to do.
    ///   - path: The item.
    ///   - isFolder: Whether it is a folder.
    ///   - fields: The request's fields.
    ///   - body: What to send with it.
    ///   - isIdempotent: Whether it can be repeated; `nil` to judge by the method.
    /// - Returns: The answer, whatever its status.
    /// - Throws: Errors of the connection.
    package func change(
        _ method: HTTPRequest.Method,
        _ path: ItemPath,
        isFolder: Bool = false,
        fields: HTTPFields = HTTPFields(),
        body: HTTPRequestBody? = nil,
        isIdempotent: Bool? = nil
    ) async throws -> HTTPReply {
        try await send(method, path, isFolder: isFolder, fields: fields, body: body, isIdempotent: isIdempotent)
    }
}
