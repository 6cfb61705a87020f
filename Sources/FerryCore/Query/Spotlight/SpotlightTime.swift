import Foundation

/// The moments that `$time` means in a query of Spotlight.
struct SpotlightTime {
    let now: Date
    let calendar: Calendar

    /// Finds a moment.
    ///
    /// - Parameters:
    ///   - name: The name after `$time.`: `now`, `today`, `this_week` …
    ///   - argument: The text in parentheses after it; empty if there is none.
    /// - Returns: The moment; `nil` for an unknown name, or an argument that is none.
    func date(_ name: String, _ argument: String) -> Date? {
        if name == "iso" { return Date(iso8601: argument) }
        guard let count = argument.isEmpty ? 0 : Int(argument) else { return nil }
        return switch name {
        case "now": now.addingTimeInterval(Double(count))
        case "today": start(of: .day, count)
        case "yesterday": start(of: .day, count - 1)
        case "tomorrow": start(of: .day, count + 1)
        case "this_week": start(of: .weekOfYear, count)
        case "this_month": start(of: .month, count)
        case "this_year": start(of: .year, count)
        default: nil
        }
    }

    private func start(of component: Calendar.Component, _ count: Int) -> Date? {
        calendar.dateInterval(of: component, for: now)
            .flatMap { calendar.date(byAdding: component, value: count, to: $0.start) }
    }
}
