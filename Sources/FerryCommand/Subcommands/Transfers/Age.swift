import ArgumentParser
import FerryCore
import Foundation

/// When a file changed, as a person writes it: `2h`, `7d`, `4w` ago, or a date such as `2026-01-31`.
struct Age: ExpressibleByArgument {
    private enum Kind {
        case date(Date)
        case ago(TimeSpan)
    }

    private let kind: Kind

    init?(argument: String) {
        if let date = Date(iso8601: argument) {
            kind = .date(date)
        } else if argument.last?.isLetter == true, let span = TimeSpan(argument: argument) {
            kind = .ago(span)
        } else {
            return nil
        }
    }

    /// The moment that is meant.
    ///
    /// - Parameter now: The moment from which it is counted back.
    /// - Returns: The moment.
    func date(before now: Date) -> Date {
        switch kind {
        case .date(let date): date
        case .ago(let span): now.addingTimeInterval(-Double(span.seconds))
        }
    }
}
