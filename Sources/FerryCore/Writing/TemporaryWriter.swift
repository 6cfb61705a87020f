package import Foundation

/// The process of this machine that writes what is not complete yet: so that what a dead one has left behind can be
/// distinguished from what others write.
///
/// Storages put it into temporary names, as a UUID of version 8 (RFC 9562, section 5.8). It is judged only in the same start
/// of the same machine, and where processes have the same numbers: a folder, and all the more a server, may be shared with
/// other machines and containers.
package struct TemporaryWriter: Sendable, Hashable {
    /// This process; `nil` where the system does not tell enough of it.
    package static let current = TemporaryWriter(.current)

    /// Where numbers of processes mean the same: this start of this machine, and this container.
    private static let currentPlace: UInt32? = {
        guard let boot = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8), !boot.isEmpty,
            let names = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/pid")
        else { return nil }
        return hash(boot + names)
    }()

    private let place: UInt32
    private let number: Int32
    /// Of when the process was started, so that another that gets its number is not taken for it.
    private let start: UInt32

    private static let startBits: UInt32 = 0x3FFF_FFFF

    /// Makes a value.
    ///
    /// - Parameter process: A process of this machine.
    package init?(_ process: ProcessMark) {
        guard !process.start.isEmpty, let place = Self.currentPlace else { return nil }
        self.place = place
        number = process.number
        start = Self.hash(process.start) & Self.startBits
    }

    /// Reads what ``uuid()`` has made.
    ///
    /// - Parameter id: Any; one that says nothing of a process is refused.
    package init?(_ id: UUID) {
        let bytes = withUnsafeBytes(of: id.uuid) { Array($0) }
        guard bytes[6] >> 4 == 8, bytes[8] >> 6 == 2 else { return nil }
        func number(_ range: Range<Int>) -> UInt32 { bytes[range].reduce(0) { $0 << 8 | UInt32($1) } }
        place = number(0..<4)
        self.number = Int32(number(4..<6) << 12 | number(6..<8) & 0xFFF)
        start = number(8..<12) & Self.startBits
    }

    /// A UUID that nobody else has.
    ///
    /// - Returns: A UUID; 32 of its bits are random.
    package func uuid() -> UUID {
        let number = UInt32(bitPattern: number)
        let words = [
            place, (number >> 12) << 16 | 0x8000 | number & 0xFFF, 0x8000_0000 | start, .random(in: .min ... .max),
        ]
        var id = UUID().uuid
        withUnsafeMutableBytes(of: &id) { bytes in
            for (index, word) in words.enumerated() {
                bytes.storeBytes(of: word.bigEndian, toByteOffset: index * 4, as: UInt32.self)
            }
        }
        return UUID(uuid: id)
    }

    /// Indicates whether the process has ended, and will complete nothing.
    ///
    /// - Returns: `false` where that can't be told, as of processes of other machines.
    package var isDead: Bool {
        guard place == Self.currentPlace else { return false }
        guard let theirs = ProcessMark.start(of: number) else {
            // Gone, or hidden from us.
            return kill(number, 0) != 0 && errno == ESRCH
        }
        return Self.hash(theirs) & Self.startBits != start
    }

    /// Returns `true` if a name is one of those that storages give to what is not complete yet, and its process has ended.
    ///
    /// - Parameter name: A name: `.ferry-` or `ferry-`, a UUID from ``uuid()``, and `.tmp` or nothing.
    /// - Returns: `false` where that can't be told.
    package static func isLeftBehind(name: String) -> Bool {
        var rest = name[...]
        if rest.hasPrefix(".") { rest.removeFirst() }
        guard rest.hasPrefix("ferry-") else { return false }
        rest = rest.dropFirst(6)
        if rest.hasSuffix(".tmp") { rest = rest.dropLast(4) }
        return UUID(uuidString: String(rest)).flatMap(TemporaryWriter.init)?.isDead ?? false
    }

    /// FNV-1a of 64 bits, folded: it need not withstand anybody.
    private static func hash(_ text: String) -> UInt32 {
        let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return UInt32(truncatingIfNeeded: hash ^ hash >> 32)
    }
}
