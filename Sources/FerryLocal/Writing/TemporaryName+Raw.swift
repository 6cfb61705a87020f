import FerryCore
import Foundation

extension TemporaryName {
    /// A name for what only this process completes: it says which process writes.
    static func random() -> RawName { raw(TemporaryWriter.current.map { make($0.uuid()) } ?? text()) }

    /// A name for what another process may complete.
    static func text(_ number: UInt64 = .random(in: .min ... .max)) -> String { make(digits: number.hexadecimal) }

    static func raw(_ text: String) -> RawName { text.utf8.map { CChar(bitPattern: $0) } + [0] }

    /// Bytes of a hidden name.
    static let lengths: Set<Int> = [27, 47]
}
