import FerryMediaWire
import Foundation

/// Stands in for `ferry-media` in tests: it does what the extension of a file's name says, well or badly.
@main
enum StandIn {
    static func main() {
        send(.ready(version: WireFormat.version))
        while let message = receive() {
            guard case .request(let id, let job) = message else { continue }
            let words = job.extensionHint.split(separator: "-").map(String.init)
            switch words.first {
            case "echo": if let bytes = readAll(id, job.size) { answer(id, bytes) }
            case "pid": answer(id, Array("\(getpid())".utf8))
            case "surroundings": answer(id, surroundings())
            case "refuse": send(.refused(id: id, RefusalReason(rawValue: UInt8(words[1]) ?? 0) ?? .damaged, "so it is"))
            case "crash":
                _ = read(id, 0, 1)
                abort()
            case "exit": exit(Int32(words[1]) ?? 1)
            case "leave":
                answer(id, [0])
                exit(0)
            case "hang": while true { pause() }
            case "busy": while true { _ = getppid() }
            case "other": send(.done(id: id &+ 1, .properties([])))
            case "instead": send(.done(id: id, .properties([])))
            case "beyond":
                if let bytes = read(id, job.size + 1000, 10) { answer(id, Array("\(bytes.count)".utf8)) }
            case "endless": while read(id, 0, 1) != nil {}
            case "long": put([0xFF, 0xFF, 0xFF, 0xFF, 67])
            case "garbage": put([0, 0, 0, 3, 99, 1, 2])
            case "half": put([0, 0, 1, 0, 67, 0])
            default: send(.refused(id: id, .unsupported, ""))
            }
        }
    }

    private static func answer(_ id: UInt32, _ bytes: [UInt8]) {
        send(.done(id: id, .thumbnail(ThumbnailResult(data: bytes, width: 1, height: 1, format: .png))))
    }

    private static func readAll(_ id: UInt32, _ size: Int64) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < size {
            guard let part = read(id, Int64(bytes.count), 64 << 10) else { return nil }
            if part.isEmpty { break }
            bytes += part
        }
        return bytes
    }

    private static func read(_ id: UInt32, _ offset: Int64, _ length: Int) -> [UInt8]? {
        send(.read(id: id, offset: offset, length: length))
        guard case .bytes(id, offset, let bytes)? = receive() else {
            send(.refused(id: id, .unreadable, ""))
            return nil
        }
        return bytes
    }

    /// Returns what the program got from its parent besides its input and output.
    private static func surroundings() -> [UInt8] {
        let descriptors = (3..<256).filter { fcntl($0, F_GETFD) != -1 }.map { "descriptor \($0)" }
        let variables = ProcessInfo.processInfo.environment.keys.map { "variable \($0)" }
        var ignored: [String] = []
        for signal in [SIGPIPE, SIGTERM, SIGINT] {
            var action = sigaction()
            sigaction(signal, nil, &action)
            if action.__sigaction_handler.sa_handler != nil { ignored.append("ignored \(signal)") }
        }
        return Array((descriptors + variables + ignored).joined(separator: "\n").utf8)
    }

    // MARK: - Frames

    nonisolated(unsafe) private static var buffer = FrameBuffer()

    private static func receive() -> LibraryMessage? {
        while true {
            if let frame = try? buffer.next() { return try? LibraryMessage(frame: frame) }
            var bytes = [UInt8](repeating: 0, count: 1 << 16)
            let count = Foundation.read(STDIN_FILENO, &bytes, bytes.count)
            guard count > 0 else { return nil }
            buffer.append(bytes.prefix(count))
        }
    }

    private static func send(_ message: ProgramMessage) { put(message.frame) }

    private static func put(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            guard count > 0 else { exit(0) }
            rest = rest.dropFirst(count)
        }
    }
}
