import Foundation

/// A process of this machine: told from another that gets its number later.
package struct ProcessMark: Codable, Hashable, Sendable {
    /// Its number.
    package var number: Int32
    /// The time at which the system started it, and the start of the system since which that is counted; empty if it is
    /// not known.
    package var start: String

    /// Makes a value.
    package init(number: Int32, start: String) {
        self.number = number
        self.start = start
    }

    /// This process.
    package static let current = ProcessMark(number: getpid(), start: Self.start(of: getpid()) ?? "")

    /// Indicates whether it is still at work.
    package var isAlive: Bool {
        guard kill(number, 0) == 0 || errno == EPERM else { return false }
        return Self.start(of: number) == start || start.isEmpty
    }

    /// Returns the time at which the system started a process.
    ///
    /// - Parameter number: The process.
    /// - Returns: Ticks since the start of the system, `@`, and which start that was; `nil` if that can't be told: of a
    ///   process that is gone, or where there is no `/proc`, when its number alone must do.
    package static func start(of number: Int32) -> String? {
        guard let status = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8),
            let name = status.lastIndex(of: ")")
        else { return nil }
        let fields = status[name...].split(separator: " ")
        let boot = (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)) ?? ""
        return fields.count > 20 ? fields[20] + "@" + boot.prefix(8) : nil
    }
}
