import FerryCore
import Foundation

/// Names for what is not complete yet: hidden, and never guessed.
///
/// `.ferry-`, 16 digits or a UUID, `.tmp`. A UUID says which process writes: see ``TemporaryWriter``. What another process
/// is to go on with has digits, which say nothing.
enum TemporaryName {
    /// A name for what only this process completes.
    static func random() -> RawName {
        guard let writer = TemporaryWriter.current else { return raw(text()) }
        return raw(".ferry-\(writer.uuid().uuidString.lowercased()).tmp")
    }

    /// A name for what another process may complete.
    static func text(_ number: UInt64 = .random(in: .min ... .max)) -> String {
        ".ferry-\(number.hexadecimal).tmp"
    }

    static func raw(_ text: String) -> RawName { text.utf8.map { CChar(bitPattern: $0) } + [0] }

    /// Bytes of such a name.
    static let lengths: Set<Int> = [27, 47]

    /// Returns whether a text is such a name, and leads nowhere else.
    static func isOne(_ text: String) -> Bool {
        guard lengths.contains(text.utf8.count), text.hasPrefix(".ferry-"), text.hasSuffix(".tmp") else { return false }
        let middle = text.dropFirst(7).dropLast(4)
        return middle.utf8.count == 16 ? middle.allSatisfy(\.isHexDigit) : UUID(uuidString: String(middle)) != nil
    }
}
