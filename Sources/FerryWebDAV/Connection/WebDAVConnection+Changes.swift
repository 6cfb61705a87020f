package import FerryCore
package import FerryHTTP
import Foundation
package import HTTPTypes
import NIOCore

extension WebDAVConnection {
    /// The number of times that something that is only busy is tried.
    package static let attempts = 7

    /// A request that changes an item, with the locks that we hold.
    ///
    /// - Parameters:
    ///   - method: The request's method.
    ///   - path: The item.
    ///   - isFolder: `true` if it is a folder.
    ///   - target: Where it goes, for a copy or a move.
    ///   - fields: The request's fields.
    ///   - eTag: The eTag that the item must have, to be put into the `If` field.
    ///   - isIdempotent: `true` if it can be repeated; `nil` to judge by the method.
    /// - Returns: The request.
    package func changeRequest(
        _ method: HTTPRequest.Method,
        _ path: ItemPath,
        isFolder: Bool = false,
        to target: ItemPath? = nil,
        fields: HTTPFields = HTTPFields(),
        eTag: String? = nil,
        isIdempotent: Bool? = nil
    ) -> HTTPFileRequest {
        var fields = fields
        fields[.condition] = condition(
            changing: Self.changed(by: method, path, to: target),
            isPlain: method == .put || method == .proppatch,
            eTag: eTag
        )
        return HTTPFileRequest(
            origin.request(method, self.target(path, isFolder: isFolder), fields),
            isIdempotent: isIdempotent
        )
    }

    /// A `COPY` or a `MOVE` (RFC 4918 §9.8, §9.9).
    ///
    /// - Parameters:
    ///   - method: Which of them.
    ///   - path: The item.
    ///   - target: Where it goes, name included.
    ///   - isFolder: `true` if it is a folder.
    ///   - overwrite: `true` if what is there may be replaced.
    /// - Returns: The request.
    package func transferRequest(
        _ method: HTTPRequest.Method,
        _ path: ItemPath,
        to target: ItemPath,
        isFolder: Bool,
        overwrite: Bool
    ) -> HTTPFileRequest {
        var fields = HTTPFields()
        // Absolute: Apache refuses a path alone.
        fields[.destination] = origin.url(self.target(target, isFolder: isFolder))
        fields[.overwrite] = overwrite ? "T" : "F"
        if isFolder, method == .copy { fields[.depth] = "infinity" }
        return changeRequest(
            method,
            path,
            isFolder: isFolder,
            to: target,
            fields: fields,
            isIdempotent: method == .copy && overwrite
        )
    }

    /// Sends a request that changes items.
    ///
    /// A server that answers 423 although nobody is known to hold a lock is busy with another request for the item, as Go's
    /// is for as long as that lasts: then it is asked again, for a second in all.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - path: The item in its URL.
    ///   - target: Where the item goes, for a copy or a move.
    /// - Returns: The answer, whatever its status.
    /// - Throws: Errors of the connection.
    package func change(
        _ request: HTTPFileRequest,
        about path: ItemPath,
        to target: ItemPath? = nil
    ) async throws -> HTTPReply {
        let changed = Self.changed(by: request.head.method, path, to: target)
        var attempt = 1
        while true {
            let reply = try await send(request, about: path)
            guard reply.status.code == 423, request.body?.isReplayable ?? true, attempt < Self.attempts,
                await holders(of: changed).isEmpty
            else { return reply }
            await reply.discard()
            try await waitBriefly(attempt: attempt)
            attempt += 1
        }
    }

    /// A copy leaves its source alone.
    private static func changed(by method: HTTPRequest.Method, _ path: ItemPath, to target: ItemPath?) -> [ItemPath] {
        (method == .copy ? [] : [path]) + (target.map { [$0] } ?? [])
    }

    /// Waits a little, each time longer, and never as long as another who waits for the same.
    ///
    /// - Parameter attempt: How often something was tried, from 1.
    /// - Throws: `CancellationError`.
    package func waitBriefly(attempt: Int) async throws {
        let longest = Duration.milliseconds(10 << min(attempt, 10))
        try await clock.sleep(for: longest * (0.5 + session.retryPolicy.random() / 2))
    }
}

extension HTTPReply {
    /// Reads the rest, which nobody wants, so that the connection can be used again; a long rest is let go of.
    package func discard() async {
        var left = 256 << 10
        do {
            for try await chunk in body {
                left -= chunk.readableBytes
                if left < 0 { return }
            }
        } catch {
            // The answer is known; that its rest was lost changes nothing.
        }
    }
}
