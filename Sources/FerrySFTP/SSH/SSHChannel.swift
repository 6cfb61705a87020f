#if os(Linux) || os(macOS)
import FerryCore
import FerryProcess
import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// A line through the system's `ssh`: what it reads and writes is what the server's SFTP writes and reads.
final class SSHChannel: SFTPChannel {
    private struct State {
        var unsent: [ByteBuffer] = []
        var isFlushing = false
        var isClosed = false
        var hasEnded = false
    }

    private let state = Mutex(State())
    private let process: ChildProcess
    private let channel: any Channel
    private let errors: SSHErrorOutput
    private let conversation: SSHConversation?
    /// The folder of the login that further lines share; it lives as long as this one.
    private let folder: SSHLoginFolder?

    private init(
        process: ChildProcess,
        channel: any Channel,
        errors: SSHErrorOutput,
        conversation: SSHConversation?,
        folder: SSHLoginFolder?
    ) {
        self.process = process
        self.channel = channel
        self.errors = errors
        self.conversation = conversation
        self.folder = folder
    }

    deinit {
        channel.close(promise: nil)
        process.terminate()
        conversation?.end()
    }

    /// Starts the program.
    ///
    /// - Parameters:
    ///   - path: The program's file.
    ///   - arguments: Its arguments.
    ///   - environment: Its variables.
    ///   - conversation: The conversation that answers its questions; `nil` for a line that has none.
    ///   - folder: The files that its login needs.
    ///   - receiver: The receiver of the bytes that come.
    ///   - failure: Makes an error of how the program has ended.
    /// - Returns: The line.
    /// - Throws: `POSIXError`; what keeps its output from being read.
    static func start(
        _ path: String,
        _ arguments: [String],
        environment: [String: String],
        conversation: SSHConversation?,
        folder: SSHLoginFolder?,
        to receiver: any SFTPReceiver,
        failure: @escaping @Sendable (SSHFailure) -> any Error
    ) async throws -> SSHChannel {
        let program = try SSHProcess(path: path, arguments: arguments, environment: environment)
        var isConnected = false
        defer { if !isConnected { program.process.terminate() } }
        let loop = await EventLoopExecutor.sharedLoop()
        let errors = try await SSHErrorOutput.read(program.errors, on: loop)
        let handler = SSHLineHandler()
        let channel = try await ClientBootstrap(group: loop)
            .channelOption(
                .recvAllocator,
                value: AdaptiveRecvByteBufferAllocator(minimum: 4096, initial: 65_536, maximum: 262_144)
            )
            .channelOption(.socketOption(.so_sndbuf), value: 1 << 20)
            .channelOption(.socketOption(.so_rcvbuf), value: 1 << 20)
            .channelOption(.writeBufferWaterMark, value: .init(low: 1 << 20, high: 4 << 20))
            .channelOption(.autoRead, value: false)
            .channelInitializer { $0.pipeline.addHandler(handler) }
            .withConnectedSocket(program.line).get()
        isConnected = true
        let line = SSHChannel(
            process: program.process,
            channel: channel,
            errors: errors,
            conversation: conversation,
            folder: folder
        )
        handler.begin(on: channel) { [weak receiver] bytes in
            receiver?.received(bytes)
        } ended: { [weak receiver, weak line] in
            guard let line,
                line.state.withLock({ state in
                    defer { state.hasEnded = true }
                    return !state.hasEnded
                })
            else { return }
            // Its last words come after the end of the line.
            Task { [weak receiver] in await line.tell(receiver, failure) }
        }
        return line
    }

    private func tell(
        _ receiver: (any SFTPReceiver)?,
        _ failure: @Sendable (SSHFailure) -> any Error
    ) async {
        let code = await process.ending().exitCode
        let words = await errors.words(waiting: .milliseconds(500))
        conversation?.end()
        if state.withLock({ $0.isClosed }) { return }
        let told = SSHFailure(exitCode: code, words: words, refusal: conversation?.refusal)
        receiver?.ended(failure(told))
    }

    /// Indicates whether nothing can be sent any more, nor its login be shared.
    var isOver: Bool { state.withLock { $0.isClosed || $0.hasEnded } }

    func send(_ bytes: ByteBuffer) {
        let starts = state.withLock { state in
            if state.isClosed { return false }
            state.unsent.append(bytes)
            defer { state.isFlushing = true }
            return !state.isFlushing
        }
        // Whatever comes until the thread has time goes in one piece.
        if starts { channel.eventLoop.execute { [self] in flush() } }
    }

    private func flush() {
        let unsent = state.withLock { state in
            state.isFlushing = false
            defer { state.unsent = [] }
            return state.unsent
        }
        for bytes in unsent { channel.write(bytes, promise: nil) }
        channel.flush()
    }

    var timeSinceQuestion: Duration? { conversation?.timeSinceQuestion }

    func close() {
        let isFirst = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        guard isFirst else { return }
        channel.close(promise: nil)
        process.terminate()
        conversation?.end()
    }
}

/// Hands on what arrives.
private final class SSHLineHandler: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    private struct Ways {
        var received: @Sendable (ByteBuffer) -> Void
        var ended: @Sendable () -> Void
    }

    private let ways = Mutex<Ways?>(nil)

    /// Begins to read; nothing is read before.
    func begin(
        on channel: any Channel,
        received: @escaping @Sendable (ByteBuffer) -> Void,
        ended: @escaping @Sendable () -> Void
    ) {
        ways.withLock { $0 = Ways(received: received, ended: ended) }
        channel.setOption(.autoRead, value: true).whenFailure { _ in ended() }
        channel.closeFuture.whenComplete { _ in ended() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let received = ways.withLock { $0?.received }
        received?(unwrapInboundIn(data))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
#endif
