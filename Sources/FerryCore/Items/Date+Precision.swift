public import Foundation

extension Date {
    /// Returns the date as a storage of a precision keeps it.
    ///
    /// - Parameter precision: The precision of the storage's dates; `nil` if it is not known, and the date stays as it is.
    /// - Returns: The date, rounded down to whole steps since 1970.
    public func rounded(to precision: Duration?) -> Date {
        guard let precision, precision > .zero else { return self }
        let step = precision / .seconds(1)
        let steps = (timeIntervalSince1970 / step)
        // A step that is no binary fraction can't be met exactly: what is a whole number but for that is one.
        let whole = abs(steps - steps.rounded()) < 0.000_1 ? steps.rounded() : steps.rounded(.down)
        return Date(timeIntervalSince1970: whole * step)
    }

    /// Returns `true` if a storage that was given this date may tell the other one, since it keeps fewer digits.
    ///
    /// Storages keep milliseconds, hundredths, whole or even seconds, and don't always say which.
    ///
    /// - Parameter other: The date that a storage tells.
    /// - Returns: `false` for two dates; `true` if they agree to the millisecond.
    public func isKept(as other: Date) -> Bool {
        let lost = timeIntervalSince(other)
        if abs(lost) < 0.000_501 { return true }
        let seconds = other.timeIntervalSinceReferenceDate
        return [0.01, 1, 2].contains { step in
            let steps = seconds / step
            return lost >= 0 && lost < step && abs(steps - steps.rounded()) * step < 0.000_001
        }
    }
}

extension FileProviderCapabilities {
    /// Returns `true` if a file can be given a date.
    ///
    /// - Parameter date: The date.
    /// - Returns: `false` if the storage sets no dates, or not this one.
    public func keepsDate(_ date: Date) -> Bool {
        setsModifiedDate && settableDates.map { $0.contains(date) } ?? true
    }
}
