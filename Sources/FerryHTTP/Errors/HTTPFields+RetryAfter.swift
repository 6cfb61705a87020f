package import Foundation
package import HTTPTypes

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
