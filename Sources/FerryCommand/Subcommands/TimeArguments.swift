import ArgumentParser
import FerryCore
import Foundation

/// A length of time as a person writes it: `90s`, `15m`, `2h`, `7d`, `4w`; a number alone is seconds.
struct TimeSpan: ExpressibleByArgument {
    /// Seconds, more than 0.
    let seconds: Int64

    init?(argument: String) {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
        let unit = argument.last.flatMap { units[$0] }
        let digits = unit == nil ? argument[...] : argument.dropLast()
        guard let number = Int64(digits), number > 0,
            case let (seconds, overflow) = number.multipliedReportingOverflow(by: unit ?? 1), !overflow
        else { return nil }
        self.seconds = seconds
    }

    /// The same as a duration.
    var duration: Duration { .seconds(seconds) }
}

/// A moment as a person writes it: `2026-12-31`, `2026-12-31T18:00:00Z`, or a length of time from now or before it.
struct Moment: ExpressibleByArgument {
    private enum Kind {
        case date(Date)
        case span(TimeSpan)
    }

    private let kind: Kind

    init?(argument: String) {
        if let date = Date(iso8601: argument) {
            kind = .date(date)
        } else if argument.last?.isLetter == true, let span = TimeSpan(argument: argument) {
            kind = .span(span)
        } else {
            return nil
        }
    }

    /// The date.
    var date: Date {
        switch kind {
        case .date(let date): date
        case .span(let span): Date(timeIntervalSinceNow: Double(span.seconds))
        }
    }

    /// Returns the date; a length of time is counted back from the present.
    ///
    /// - Parameter now: The present.
    /// - Returns: The date.
    func date(before now: Date) -> Date {
        switch kind {
        case .date(let date): date
        case .span(let span): now.addingTimeInterval(-Double(span.seconds))
        }
    }
}
