#if !canImport(Darwin)
import Foundation

extension MemoryPressure {
    /// Some task waited for memory in so many percent of the last ten seconds.
    private static let limit = 10.0

    /// Returns whether programs wait for memory, by the kernel's pressure stall information (Linux 4.20 and later;
    /// proc(5)).
    ///
    /// - Returns: `false` also where the kernel doesn't tell.
    static func systemIsShort() -> Bool {
        guard let file = FileManager.default.contents(atPath: "/proc/pressure/memory") else { return false }
        return isShort(String(decoding: file, as: UTF8.self))
    }

    /// Reads what the kernel says, as `some avg10=0.00 avg60=0.00 avg300=0.00 total=0`.
    static func isShort(_ text: String) -> Bool {
        let some = text.split(separator: "\n").first { $0.hasPrefix("some ") }?.split(separator: " ")
        let share = some?.first { $0.hasPrefix("avg10=") }.flatMap { Double($0.dropFirst(6)) }
        return share.map { $0 >= limit } ?? false
    }
}
#endif
