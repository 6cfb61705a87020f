import FerryCore
import Foundation

/// Collects bytes for a file descriptor and writes them in large portions.
///
/// Not for more than one task at a time: the command has one voice.
final class ByteSink {
    /// Indicates whether a person is watching: then every portion is written at once, and control characters are not.
    let isTerminal: Bool

    private let descriptor: CInt
    private var buffer: [UInt8] = []

    /// Bytes that are collected before they are written.
    private static let capacity = 128 << 10

    /// Makes a sink.
    ///
    /// - Parameters:
    ///   - descriptor: Where the bytes go; it stays open.
    ///   - isTerminal: `true` if a person is watching; found out when `nil`.
    init(descriptor: CInt, isTerminal: Bool? = nil) {
        self.descriptor = descriptor
        self.isTerminal = isTerminal ?? (isatty(descriptor) == 1)
        buffer.reserveCapacity(Self.capacity + (8 << 10))
    }

    /// Adds text as it is.
    func write(_ text: StaticString) {
        text.withUTF8Buffer { buffer.append(contentsOf: $0) }
    }

    /// Adds text as it is.
    func write(_ text: String) {
        var text = text
        text.withUTF8 { buffer.append(contentsOf: $0) }
    }

    /// Adds one byte.
    func write(byte: UInt8) {
        buffer.append(byte)
    }

    /// Lets somebody add bytes to the buffer itself.
    func append(_ body: (inout [UInt8]) -> Void) {
        body(&buffer)
    }

    /// Adds a name or a path: its real bytes, or for a person's eyes a harmless form of them.
    func write(name: some StringProtocol) {
        if isTerminal {
            write(TerminalText.harmless(name))
        } else {
            buffer.append(contentsOf: NameEscape.bytes(ofName: name))
        }
    }

    /// Ends a line; the moment when a full buffer is written.
    ///
    /// - Throws: As ``flush()``.
    func endLine() throws {
        buffer.append(UInt8(ascii: "\n"))
        if buffer.count >= Self.capacity { try flush() }
    }

    /// Writes what is collected if a person waits for it.
    ///
    /// - Throws: As ``flush()``.
    func show() throws {
        if isTerminal { try flush() }
    }

    /// Writes all that is collected.
    ///
    /// - Throws: ``ReaderGone`` when nobody reads any more; `CocoaError.fileWriteOutOfSpace` and the like.
    func flush() throws {
        guard !buffer.isEmpty else { return }
        defer { buffer.removeAll(keepingCapacity: true) }
        try buffer.withUnsafeBytes { try write(all: $0) }
    }

    /// Writes bytes that are too many to collect them.
    ///
    /// - Parameter bytes: The bytes, after all that was collected before.
    /// - Throws: As ``flush()``.
    func write(through bytes: UnsafeRawBufferPointer) throws {
        try flush()
        try write(all: bytes)
    }

    private func write(all bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafeWrite(UnsafeRawBufferPointer(rebasing: rest))
            if count >= 0 {
                rest = rest.dropFirst(count)
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN: waitUntilWritable()
            case EPIPE: throw ReaderGone()
            case let code: throw OutputFailure(code: code)
            }
        }
    }

    private func unsafeWrite(_ bytes: UnsafeRawBufferPointer) -> Int {
        Foundation.write(descriptor, bytes.baseAddress, bytes.count)
    }

    /// Somebody else made the descriptor non-blocking.
    private func waitUntilWritable() {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&request, 1, -1)
    }
}

/// The other end of the pipe has enough: no error, but the end of our work.
struct ReaderGone: Error {}

/// The output can't be written, such as to a full disk.
struct OutputFailure: Error {
    let code: CInt
}
