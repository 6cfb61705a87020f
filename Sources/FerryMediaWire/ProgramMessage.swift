/// A message from the program to the library.
package enum ProgramMessage: Sendable, Hashable {
    /// It is there, locked in, and speaks this version. Said once, before all else.
    case ready(version: UInt8)
    /// A part of the file is needed: `length` bytes from `offset`, which lies inside of the file.
    case read(id: UInt32, offset: Int64, length: Int)
    /// The job is done.
    case done(id: UInt32, MediaResult)
    /// The job can't be done.
    case refused(id: UInt32, RefusalReason, String)

    /// Reads a message.
    ///
    /// - Parameter frame: Its kind and fields.
    /// - Throws: `WireError` for what is none.
    package init(frame: ArraySlice<UInt8>) throws(WireError) {
        var reader = WireReader(frame)
        let kind: UInt8 = try reader.number()
        switch kind {
        case 65: self = .ready(version: try reader.number())
        case 66:
            let id: UInt32 = try reader.number()
            let offset: Int64 = try reader.number()
            let length = Int(try reader.number(UInt32.self))
            guard offset >= 0, (1...WireFormat.longestRead).contains(length), offset <= .max - Int64(length) else {
                throw WireError("a read of \(length) bytes from \(offset)")
            }
            self = .read(id: id, offset: offset, length: length)
        case 67: self = .done(id: try reader.number(), try MediaResult(from: &reader))
        case 68: self = .refused(id: try reader.number(), try reader.choice(), try reader.text())
        default: throw WireError("no message has the kind \(kind)")
        }
        try reader.end()
    }

    /// The message as a frame, its length in front.
    package var frame: [UInt8] {
        var writer: WireWriter
        switch self {
        case .ready(let version):
            writer = WireWriter(kind: 65)
            writer.write(version)
        case .read(let id, let offset, let length):
            writer = WireWriter(kind: 66)
            writer.write(id)
            writer.write(offset)
            writer.write(UInt32(length))
        case .done(let id, let result):
            writer = WireWriter(kind: 67, capacity: result.roughSize)
            writer.write(id)
            result.write(to: &writer)
        case .refused(let id, let reason, let words):
            writer = WireWriter(kind: 68)
            writer.write(id)
            writer.write(reason.rawValue)
            writer.write(words)
        }
        return writer.frame()
    }
}

/// The reason for which the program refuses a job.
package enum RefusalReason: UInt8, Sendable, Hashable, CaseIterable {
    /// It can do nothing with this kind of file.
    case unsupported
    /// The file is damaged, or not what it seems to be.
    case damaged
    /// It would take more memory or time than is given: too many pixels, too deep, too long.
    case tooLarge
    /// The document has no such page, the sound no picture.
    case nothingThere
    /// The file could not be read; the library knows why.
    case unreadable
    /// It was cancelled.
    case cancelled
    /// The document needs a password.
    case locked
}

/// The way in which the program ends, when it isn't by the end of its input.
///
/// Another status, or a signal other than the one of the processor's time, means that a decoder broke.
package enum ProgramEnding: Int32, Sendable, Hashable, CaseIterable {
    /// The library said something that is no message.
    case confused = 65
    /// It could not lock itself in, and then touches no file.
    case unsafe = 69
    /// A decoder wanted more memory than the program has, and could not go on without.
    case outOfMemory = 71
    /// A job waited for something that never came, or the machine gave it no time.
    case tooSlow = 75

    /// The signal by which the kernel ends a job that took too much of the processor's time: `SIGPROF`.
    package static let tooBusySignal: Int32 = 27
    /// The signal by which the kernel ends it if the first one was lost: `SIGXCPU`.
    package static let tooBusySignalOfLimit: Int32 = 24
}
