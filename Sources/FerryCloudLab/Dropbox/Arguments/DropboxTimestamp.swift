import Foundation

/// A date in whole seconds of UTC, such as `2026-01-31T12:00:00Z`.
enum DropboxTimestamp {
    /// Returns the date of a text; `nil` if it has another form.
    static func date(_ text: String) -> Date? {
        guard text.utf8.count == 20, text.utf8.last == UInt8(ascii: "Z") else { return nil }
        guard let date = try? Date(text, strategy: .iso8601), self.text(date) == text else { return nil }
        return date
    }

    /// Returns the text of a date; fractions of a second are dropped.
    static func text(_ date: Date) -> String {
        Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down)).formatted(.iso8601)
    }
}
