package import Foundation

/// The owner of incomplete items, which tells those that a dead process has left behind from those that others write.
///
/// A storage that writes under a temporary name puts the mark of ``OperationContext/temporaryOwner`` into it. Whoever
/// continues the same work later, and knows that nobody else does, may remove what ``wasLeftBehind(_:)`` says.
package struct TemporaryOwner: Sendable, Hashable {
    /// The work, six digits, and this run of it, two: hexadecimal.
    package let mark: String

    /// Makes an owner.
    ///
    /// - Parameters:
    ///   - work: The text that stays the same when the work is gone on with: at least six hexadecimal digits.
    ///   - run: The number that tells this run from others of the same work.
    package init?(work: String, run: UInt8 = .random(in: .min ... .max)) {
        let digits = work.lowercased().prefix(6)
        guard digits.utf8.count == 6, digits.allSatisfy(\.isHexDigit) else { return nil }
        mark = digits + run.hexadecimal
    }

    /// A UUID that begins with the mark of the current owner; without one it says which process writes, where that can be
    /// told: see ``TemporaryWriter``.
    package static func uuid() -> UUID {
        guard let owner = OperationContext.current.temporaryOwner else {
            return TemporaryWriter.current?.uuid() ?? UUID()
        }
        let random = UUID()
        return UUID(uuidString: owner.mark + random.uuidString.dropFirst(8)) ?? random
    }

    /// Returns whether another run of the same work has left something behind.
    ///
    /// - Parameter digits: The digits in the temporary name, ``mark`` first.
    /// - Returns: `true` if nobody will ever complete it.
    package func wasLeftBehind(_ digits: some StringProtocol) -> Bool {
        let digits = digits.lowercased()
        return digits.hasPrefix(mark.prefix(6)) && !digits.hasPrefix(mark)
    }
}

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

extension UnsignedInteger where Self: FixedWidthInteger {
    /// Lower-case hexadecimal digits, the highest first: two for each byte, zeros included.
    package var hexadecimal: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: Self.bitWidth / 4 - digits.count) + digits
    }
}
