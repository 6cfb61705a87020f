import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes

/// The worth of the eTags in one answer (RFC 9110 §8.8.1).
///
/// Where they are made of whole seconds, a file that has just changed can change again and keep its eTag. So it has none
/// until two seconds have passed: an eTag that somebody holds is a proof.
struct WebDAVFreshness: Sendable {
    /// When the server answered, by its own clock; `nil` where eTags are proofs at once.
    private let answered: Date?

    /// Judges an answer.
    ///
    /// - Parameters:
    ///   - connection: The connection that the answer came over.
    ///   - head: Its head.
    init(_ connection: WebDAVConnection, _ head: HTTPResponse) {
        guard connection.knownTraits.hasCoarseETags else {
            answered = nil
            return
        }
        answered = head.headerFields.text(.date).flatMap { HTTPDate.parse($0) } ?? connection.now()
    }

    /// Returns whether what was modified then could change again unnoticed; a date that somebody has set to come is
    /// none.
    ///
    /// - Parameter modified: When; `nil` if nobody knows.
    /// - Returns: `true` if the item could change again unnoticed.
    func isFresh(_ modified: Date?) -> Bool {
        guard let answered, let modified else { return false }
        return abs(answered.timeIntervalSince(modified)) < 2
    }

    /// Takes the eTag from a file that is too fresh to have one.
    ///
    /// - Parameter item: The item, with its date.
    func apply(to item: inout FileObject) {
        guard !item.isDirectory, isFresh(item.modifiedDate) else { return }
        item.isFresh = true
        item.eTag = nil
    }

    /// Takes the eTag from an answer that has the content of a file too fresh to have one.
    ///
    /// - Parameter reply: The answer.
    /// - Returns: The answer, by which nobody takes later content for this.
    func applied(to reply: HTTPReply) -> HTTPReply {
        guard isFresh(reply.head.headerFields.text(.lastModified).flatMap({ HTTPDate.parse($0) })) else { return reply }
        var head = reply.head
        head.headerFields[.eTag] = nil
        return HTTPReply(head: head, body: reply.body)
    }
}
