import Foundation

extension FilePropertyValue.WallDate {
    /// From the year to the second, as its clock showed it, and that clock's offset if it is known:
    /// `2024-05-01 12:30:00 +02:00`.
    var written: String {
        let clock = date.addingTimeInterval(TimeInterval(offset ?? 0))
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: clock)
        let text = String(
            format: "%04d-%02d-%02d %02d:%02d:%02d",
            parts.year ?? 0,
            parts.month ?? 0,
            parts.day ?? 0,
            parts.hour ?? 0,
            parts.minute ?? 0,
            parts.second ?? 0
        )
        guard let offset else { return text }
        let minutes = abs(offset) / 60
        return text + String(format: "%@%02d:%02d", offset < 0 ? " -" : " +", minutes / 60, minutes % 60)
    }
}
