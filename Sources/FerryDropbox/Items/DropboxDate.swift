import FerryCore
import Foundation

/// Times as the API writes them: whole seconds, in UTC.
enum DropboxDate {
    /// The times that files can be given.
    static let settable =
        Date(timeIntervalSince1970: 0)...Date(timeIntervalSince1970: 253_402_300_799)

    /// Returns the text for a time.
    ///
    /// - Parameter date: The time; its fraction of a second is left out.
    /// - Returns: Such as `2015-05-12T15:50:38Z`; `nil` for a time that the API can't have.
    static func text(_ date: Date) -> String? {
        guard settable.contains(date) else { return nil }
        return date.rounded(to: .seconds(1)).iso8601
    }

    /// Reads a time.
    ///
    /// - Parameter text: The text that the server has sent.
    /// - Returns: The time; `nil` if it makes no sense.
    static func date(_ text: String?) -> Date? {
        text.flatMap { Date(iso8601: $0) }
    }
}
