import FerryCore
import Foundation
import NIOCore

/// The attributes that a server reports of an item, or is to set (section 5); `nil` for those that are not given.
struct SFTPAttributes: Sendable, Hashable {
    /// User and group by their numbers.
    struct Owner: Sendable, Hashable {
        var user: UInt32
        var group: UInt32
    }

    /// Seconds since 1970, without a sign: until 2106.
    struct Times: Sendable, Hashable {
        var accessed: UInt32
        var modified: UInt32
    }

    /// Bytes of content.
    var size: UInt64?
    var owner: Owner?
    /// The kind of item, and its permissions, as in `st_mode` of POSIX.
    var mode: UInt32?
    var times: Times?
}

extension SFTPAttributes {
    private enum Flags {
        static let size: UInt32 = 1
        static let owner: UInt32 = 2
        static let mode: UInt32 = 4
        static let times: UInt32 = 8
        static let extended: UInt32 = 0x8000_0000
    }

    /// Reads attributes; those that only extensions know are skipped.
    init(from buffer: inout ByteBuffer) throws {
        let flags = try buffer.readNumber(UInt32.self)
        if flags & Flags.size != 0 { size = try buffer.readNumber() }
        if flags & Flags.owner != 0 { owner = Owner(user: try buffer.readNumber(), group: try buffer.readNumber()) }
        if flags & Flags.mode != 0 { mode = try buffer.readNumber() }
        if flags & Flags.times != 0 {
            times = Times(accessed: try buffer.readNumber(), modified: try buffer.readNumber())
        }
        guard flags & Flags.extended != 0 else { return }
        for _ in 0..<(try buffer.readNumber(UInt32.self)) {
            _ = try buffer.readField()
            _ = try buffer.readField()
        }
    }

    func write(to buffer: inout ByteBuffer) {
        var flags: UInt32 = 0
        if size != nil { flags |= Flags.size }
        if owner != nil { flags |= Flags.owner }
        if mode != nil { flags |= Flags.mode }
        if times != nil { flags |= Flags.times }
        buffer.writeInteger(flags)
        if let size { buffer.writeInteger(size) }
        if let owner { buffer.writeMultipleIntegers(owner.user, owner.group) }
        if let mode { buffer.writeInteger(mode) }
        if let times { buffer.writeMultipleIntegers(times.accessed, times.modified) }
    }
}

extension SFTPAttributes {
    /// The kind of item; `nil` where the server doesn't say.
    var kind: FileObject.Kind? {
        guard let mode, mode & 0o170000 != 0 else { return nil }
        return switch mode & 0o170000 {
        case 0o100000: .file
        case 0o040000: .directory
        case 0o120000: .symlink
        default: .other
        }
    }

    /// Permission bits, without what kind of item it is.
    var permissions: UInt16? { mode.map { UInt16($0 & 0o7777) } }

    /// When the content last changed.
    var modifiedDate: Date? { times.map { Date(timeIntervalSince1970: Double($0.modified)) } }
}

extension SFTPAttributes.Times {
    /// The times to set a modified date, which the protocol sets together with the time of access.
    ///
    /// Dates before 1970 and after 2106, which the protocol can't say, have none.
    ///
    /// - Parameters:
    ///   - date: The date; rounded down to seconds.
    ///   - accessed: The time of access to keep; the same date when `nil`.
    init?(modified date: Date, accessed: UInt32? = nil) {
        guard let seconds = UInt32(exactly: date.timeIntervalSince1970.rounded(.down)) else { return nil }
        self.init(accessed: accessed ?? seconds, modified: seconds)
    }
}

/// A name with attributes: an item of a folder (section 7).
struct SFTPNameEntry: Sendable, Hashable {
    let name: [UInt8]
    let attributes: SFTPAttributes

    /// Reads an entry; the line that is meant for people is skipped.
    init(from buffer: inout ByteBuffer) throws {
        name = try buffer.readField(upTo: 1 << 16)
        _ = try buffer.readBufferField()
        attributes = try SFTPAttributes(from: &buffer)
    }
}

extension SFTPNameEntry {
    /// Indicates whether it is the folder itself, or the one above.
    var isDots: Bool { name == [46] || name == [46, 46] }

    /// Indicates whether an item of a folder can have the name.
    var hasPossibleName: Bool { !name.isEmpty && !name.contains(UInt8(ascii: "/")) && !name.contains(0) }
}
