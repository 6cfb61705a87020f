public import FerryCore
public import Foundation
public import HTTPTypes
import NIOCore

extension HTTPServerError {
    /// More than any server's words need; the rest of the answer is let go of, and the connection with it.
    private static let longestRead = 16 << 10

    /// Makes an error of an answer, whose body is read and so freed.
    ///
    /// - Parameters:
    ///   - reply: The answer.
    ///   - path: The item that the request was about.
    ///   - now: The time, for an answer that says when to come back without saying what time it has.
    /// - Returns: The error, with the server's words as far as they arrived.
    /// - Throws: `CancellationError`.
    public static func read(_ reply: HTTPReply, path: ItemPath, now: Date = Date()) async throws -> HTTPServerError {
        var bytes = Data()
        do {
            for try await chunk in reply.decoded(limit: 1 << 20).body {
                bytes.append(contentsOf: chunk.readableBytesView.prefix(longestRead - bytes.count))
                if bytes.count == longestRead { break }
            }
        } catch let error as CancellationError {
            throw error
        } catch {
            // The status is the answer. That its explanation was cut short changes nothing.
        }
        return HTTPServerError(reply, path: path, body: bytes, now: now)
    }

    /// Makes an error of a status and the body that came with it.
    ///
    /// - Parameters:
    ///   - status: The status of the server's answer.
    ///   - path: The item that the request was about.
    ///   - body: The body's beginning: text, HTML, XML or JSON, in which the server's words are found.
    public init(_ status: HTTPResponse.Status, path: ItemPath, body: Data) {
        self.init(status, path: path, serverDescription: ServerWords.text(in: body, fields: HTTPFields()))
    }

    /// Makes an error of an answer whose body was read.
    ///
    /// - Parameters:
    ///   - reply: The answer.
    ///   - path: The item that the request was about.
    ///   - body: The body's beginning.
    ///   - now: The time, for an answer that says when to come back without saying what time it has.
    public init(_ reply: HTTPReply, path: ItemPath, body: Data, now: Date = Date()) {
        let fields = reply.head.headerFields
        self.init(
            reply.status,
            path: path,
            serverDescription: ServerWords.text(in: body, fields: fields),
            retryAfter: fields.retryAfter(now: now)
        )
    }
}

extension HTTPFields {
    /// The wait that `Retry-After` asks for (RFC 9110 §10.2.3): seconds, or a date.
    ///
    /// A date is held against the answer's own `Date`, if it has one: the server's clock and ours may differ.
    ///
    /// - Parameter now: The time here.
    /// - Returns: 0 or more, or `nil` if there is no such field, or it makes no sense.
    package func retryAfter(now: Date) -> Duration? {
        guard let text = self[.retryAfter]?.trimmingCharacters(in: .whitespaces) else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return .seconds(Int64(text) ?? Int64(Int32.max))
        }
        guard let date = HTTPDate.parse(text) else { return nil }
        let start = self[.date].flatMap(HTTPDate.parse) ?? now
        return .seconds(Swift.max(0, date.timeIntervalSince(start)))
    }
}
