import FerryCore
import Foundation

/// Times as the API writes them: in UTC, with up to seven decimals.
enum OneDriveDate {
    /// The times that files can be given.
    static let settable =
        Date(timeIntervalSince1970: 0)...Date(timeIntervalSince1970: 253_402_300_799)

    /// The precision of dates: personal drives keep milliseconds, those of organizations whole seconds.
    static let precision = Duration.seconds(1)

    /// Returns the text for a time.
    ///
    /// - Parameter date: The time; what is finer than a millisecond is left out.
    /// - Returns: Such as `2015-05-12T15:50:38.250Z`; `nil` for a time that the API can't have.
    static func text(_ date: Date) -> String? {
        guard settable.contains(date) else { return nil }
        let milliseconds = (date.timeIntervalSince1970 * 1_000 + 0.000_5).rounded(.down)
        let seconds = (milliseconds / 1_000).rounded(.down)
        guard let text = Date(timeIntervalSince1970: seconds).iso8601 else { return nil }
        let fraction = Int(milliseconds - seconds * 1_000)
        guard fraction > 0 else { return text }
        return "\(text.dropLast()).\(String(fraction + 1_000).dropFirst())Z"
    }

    /// Reads a time.
    ///
    /// - Parameter text: The text of the server.
    /// - Returns: The time; `nil` if it makes no sense.
    static func date(_ text: String?) -> Date? {
        text.flatMap { Date(iso8601: $0) }
    }
}
