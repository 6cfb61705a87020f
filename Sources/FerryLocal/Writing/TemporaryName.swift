import Foundation

/// Names for what is not complete yet: `.ferry-0123456789abcdef.tmp`, hidden and never guessed.
enum TemporaryName {
    static func random() -> RawName { raw(text()) }

    static func text(_ number: UInt64 = .random(in: .min ... .max)) -> String {
        let digits = String(number, radix: 16)
        return ".ferry-" + String(repeating: "0", count: 16 - digits.count) + digits + ".tmp"
    }

    static func raw(_ text: String) -> RawName { text.utf8.map { CChar(bitPattern: $0) } + [0] }

    /// Whether a text is such a name, and leads nowhere else.
    static func isOne(_ text: String) -> Bool {
        text.utf8.count == 27 && text.hasPrefix(".ferry-") && text.hasSuffix(".tmp")
            && text.dropFirst(7).dropLast(4).allSatisfy(\.isHexDigit)
    }
}
