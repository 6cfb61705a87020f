import FerryMediaWire
import Glibc
import Synchronization

/// The way to the library and back: frames over two descriptors, each call waiting until it is done.
final class Connection: Sendable {
    private struct Arrivals {
        var buffer = FrameBuffer()
        var space = [UInt8](repeating: 0, count: 256 << 10)
    }

    private let input: Int32
    private let output: Int32
    private let arrivals = Mutex(Arrivals())

    /// Makes a connection.
    ///
    /// - Parameters:
    ///   - input: Where messages come from.
    ///   - output: Where messages go.
    init(input: Int32, output: Int32) {
        self.input = input
        self.output = output
    }

    /// Sends a message.
    ///
    /// Where nobody listens any more, there is nothing left to do: the program ends.
    func send(_ message: ProgramMessage) {
        message.frame.withUnsafeBytes { frame in
            guard let start = frame.baseAddress else { return }
            var sent = 0
            while sent < frame.count {
                let count = write(output, start + sent, frame.count - sent)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { _exit(EXIT_SUCCESS) }
                sent += count
            }
        }
    }

    /// Waits for a message.
    ///
    /// - Returns: `nil` where the library has no more to say.
    /// - Throws: `WireError` for what is no message.
    func next() throws(WireError) -> LibraryMessage? {
        try arrivals.withLock { arrivals throws(WireError) in
            while true {
                if let frame = try arrivals.buffer.next() { return try LibraryMessage(frame: frame) }
                let count = arrivals.space.withUnsafeMutableBytes { read(input, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else {
                    guard arrivals.buffer.isEmpty else { throw WireError("the library stopped inside a message") }
                    return nil
                }
                arrivals.buffer.append(arrivals.space[..<count])
            }
        }
    }
}
