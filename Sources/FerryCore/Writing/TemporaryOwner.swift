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
