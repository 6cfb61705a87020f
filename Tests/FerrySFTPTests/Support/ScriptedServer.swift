import Foundation
import NIOCore
import Synchronization

@testable import FerrySFTP

/// A server in this process that answers as a test says, whatever that is.
final class ScriptedServer: SFTPChannelOpener {
    /// A request of a client.
    struct Request: Sendable {
        let type: SFTPMessageType
        let id: UInt32
        /// The fields that follow the id.
        var fields: ByteBuffer

        /// The first field, as text.
        var text: String {
            var fields = fields
            return (try? fields.readField()).map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
    }

    /// The answer of a server to a request.
    enum Answer: Sendable {
        case bytes([ByteBuffer])
        /// The line ends after these bytes.
        case end(ByteBuffer)
        /// Nothing at all.
        case silence

        static func status(_ code: UInt32, _ words: String = "") -> @Sendable (Request) -> Answer {
            { .bytes([ScriptedServer.status($0.id, code, words)]) }
        }
    }

    private struct State {
        var requests: [Request] = []
        var received = ByteBuffer()
        var opened = 0
        var line: Line?
    }

    private let state = Mutex(State())
    /// `nil` for one that never says it.
    private let version: ByteBuffer?
    private let answer: @Sendable (Request) -> Answer

    /// Makes a server.
    ///
    /// - Parameters:
    ///   - extensions: The extensions that it knows.
    ///   - greets: `true` if it sends its version.
    ///   - answer: Returns its answer; `nil` leaves that to ``usual(_:)``.
    init(
        extensions: [SFTPExtension] = [],
        greets: Bool = true,
        _ answer: @escaping @Sendable (Request) -> Answer?
    ) {
        let version = SFTPStateMachineTests.message(2) { message in
            message.writeInteger(UInt32(3))
            for name in extensions {
                message.writeField(name.rawValue.utf8)
                message.writeField(name == .statvfs ? "2".utf8 : "1".utf8)
            }
        }
        self.version = greets ? version : nil
        self.answer = { answer($0) ?? Self.usual($0) }
    }

    /// The requests so far.
    var requests: [Request] { state.withLock { $0.requests } }

    /// How many lines were made.
    var openedLines: Int { state.withLock { $0.opened } }

    /// A provider on this server.
    func provider(
        patience: Duration = .seconds(60),
        options: SFTPOptions = SFTPOptions(),
        clock: any Clock<Duration> = ContinuousClock()
    ) throws -> SFTPFileProvider {
        try SFTPFileProvider(
            baseURL: URL(string: "sftp://scripted/") ?? URL(filePath: "/"),
            credential: nil,
            options: options,
            session: SFTPSession(opener: self, patience: patience, maximumConnections: 1),
            clock: clock
        )
    }

    func openChannel(to receiver: any SFTPReceiver) async throws -> any SFTPChannel {
        state.withLock { state in
            state.opened += 1
            state.received = ByteBuffer()
        }
        let line = Line(server: self, receiver: receiver)
        state.withLock { $0.line = line }
        return line
    }

    /// Sends bytes on the last line, whenever a test wants it.
    func say(_ bytes: ByteBuffer) { state.withLock { $0.line }?.say(bytes) }

    func shutdown() async {}

    private final class Line: SFTPChannel {
        private let server: ScriptedServer
        private let receiver: WeakReceiver
        private let isClosed = Mutex(false)
        private let queue = DispatchQueue(label: "ferry.scripted")

        init(server: ScriptedServer, receiver: any SFTPReceiver) {
            self.server = server
            self.receiver = WeakReceiver(receiver)
        }

        func send(_ bytes: ByteBuffer) {
            queue.async { [self] in
                for answer in server.take(bytes) {
                    if isClosed.withLock({ $0 }) { return }
                    switch answer {
                    case .bytes(let messages): for message in messages { receiver.value?.received(message) }
                    case .silence: break
                    case .end(let bytes):
                        isClosed.withLock { $0 = true }
                        if bytes.readableBytes > 0 { receiver.value?.received(bytes) }
                        receiver.value?.ended(nil)
                    }
                }
            }
        }

        func say(_ bytes: ByteBuffer) {
            queue.async { [self] in receiver.value?.received(bytes) }
        }

        func close() { isClosed.withLock { $0 = true } }
    }

    /// Takes bytes, and answers the requests that are complete.
    private func take(_ bytes: ByteBuffer) -> [Answer] {
        let requests = state.withLock { state -> [Request?] in
            state.received.writeImmutableBuffer(bytes)
            var requests: [Request?] = []
            while let length = state.received.getInteger(at: state.received.readerIndex, as: UInt32.self),
                state.received.readableBytes >= 4 + Int(length)
            {
                state.received.moveReaderIndex(forwardBy: 4)
                guard var message = state.received.readSlice(length: Int(length)),
                    let type = message.readInteger(as: UInt8.self).flatMap(SFTPMessageType.init(rawValue:))
                else { break }
                if type == .initialize {
                    requests.append(nil)
                    continue
                }
                let request = Request(type: type, id: message.readInteger() ?? 0, fields: message)
                requests.append(request)
                state.requests.append(request)
            }
            return requests
        }
        return requests.map { $0.map(answer) ?? .bytes([version].compactMap(\.self)) }
    }

    private final class WeakReceiver: Sendable {
        private let held: Mutex<Weak>

        private struct Weak {
            weak var receiver: (any SFTPReceiver)?
        }

        init(_ receiver: any SFTPReceiver) {
            held = Mutex(Weak(receiver: receiver))
        }

        var value: (any SFTPReceiver)? { held.withLock { $0.receiver } }
    }
}

// MARK: - Messages

extension ScriptedServer {
    /// A server with one folder, in which nothing is.
    static func usual(_ request: Request) -> Answer {
        switch request.type {
        case .realpath: .bytes([names(request.id, [("/", SFTPAttributes())])])
        case .open, .opendir: .bytes([handle(request.id, [UInt8](String(request.id).utf8))])
        case .close, .remove, .rename, .fsetstat, .setstat, .mkdir, .rmdir, .write: .bytes([status(request.id, 0)])
        case .readdir, .read: .bytes([status(request.id, 1)])
        case .stat where request.text == "/": .bytes([attributes(request.id, SFTPAttributes(mode: 0o040755))])
        case .lstat, .stat, .fstat, .readlink: .bytes([status(request.id, 2)])
        default: .bytes([status(request.id, 8)])
        }
    }

    static func status(_ id: UInt32, _ code: UInt32, _ words: String = "") -> ByteBuffer {
        SFTPStateMachineTests.message(101) { message in
            message.writeMultipleIntegers(id, code)
            message.writeField(words.utf8)
            message.writeField("".utf8)
        }
    }

    static func handle(_ id: UInt32, _ name: [UInt8]) -> ByteBuffer {
        SFTPStateMachineTests.message(102) { message in
            message.writeInteger(id)
            message.writeField(name)
        }
    }

    static func data(_ id: UInt32, _ bytes: [UInt8]) -> ByteBuffer {
        SFTPStateMachineTests.message(103) { message in
            message.writeInteger(id)
            message.writeField(bytes)
        }
    }

    static func names(_ id: UInt32, _ names: [(String, SFTPAttributes)]) -> ByteBuffer {
        SFTPStateMachineTests.message(104) { message in
            message.writeMultipleIntegers(id, UInt32(names.count))
            for (name, attributes) in names {
                message.writeField(name.utf8)
                message.writeField("-rw-r--r-- for people".utf8)
                attributes.write(to: &message)
            }
        }
    }

    static func attributes(_ id: UInt32, _ attributes: SFTPAttributes) -> ByteBuffer {
        SFTPStateMachineTests.message(105) { message in
            message.writeInteger(id)
            attributes.write(to: &message)
        }
    }
}
