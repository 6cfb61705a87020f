import Foundation

/// Names for what is not complete yet: `.ferry-0123456789abcdef.tmp`, hidden and never guessed.
enum TemporaryName {
    static func random() -> RawName {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        let text = ".ferry-" + String(repeating: "0", count: 16 - digits.count) + digits + ".tmp"
        return text.utf8.map { CChar(bitPattern: $0) } + [0]
    }
}
