#if os(Linux) || os(macOS)
import FerryCore
import FerryProcess
import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// Runs `ssh` to its end, and collects what it writes.
enum SSHCommand {
    /// The output of a program.
    struct Output: Sendable, Hashable {
        var exitCode: Int32
        var bytes: [UInt8]
        var errors: String
    }

    /// Bytes that are collected at most; who writes more is ended.
    private static let most = 64 << 20

    /// Runs a program.
    ///
    /// - Parameters:
    ///   - path: The program's file.
    ///   - arguments: Its arguments.
    ///   - environment: Its variables.
    ///   - input: The bytes that it reads.
    ///   - patience: How long it may write nothing.
    /// - Returns: The program's output.
    /// - Throws: `POSIXError` if it can't be started; `URLError.timedOut`; `CancellationError`.
    static func run(
        _ path: String,
        _ arguments: [String],
        environment: [String: String],
        input: [UInt8] = [],
        patience: Duration
    ) async throws -> Output {
        let program = try SSHProcess(path: path, arguments: arguments, environment: environment)
        let process = program.process
        defer { process.terminate() }
        let loop = await EventLoopExecutor.sharedLoop()
        let errors = try await SSHErrorOutput.read(program.errors, on: loop)
        let collector = SSHOutputCollector(limit: most)
        let channel = try await ClientBootstrap(group: loop)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let idle = IdleStateHandler(readTimeout: .nanoseconds(patience.nanoseconds))
                    try channel.pipeline.syncOperations.addHandlers([idle, collector])
                }
            }
            .withConnectedSocket(program.line).get()
        channel.writeAndFlush(ByteBuffer(bytes: input), promise: nil)
        channel.close(mode: .output, promise: nil)
        let bytes = try await withTaskCancellationHandler {
            try await collector.bytes.value()
        } onCancel: {
            channel.close(promise: nil)
        }
        channel.close(promise: nil)
        let ending = await withTaskCancellationHandler {
            await process.ending()
        } onCancel: {
            process.end(within: .zero)
        }
        try Task.checkCancellation()
        return Output(
            exitCode: ending.exitCode,
            bytes: bytes,
            errors: await errors.words(waiting: .seconds(1))
        )
    }
}

/// Collects what arrives until nothing more comes.
private final class SSHOutputCollector: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    let bytes = SFTPAnswerFuture<[UInt8]>()
    private let collected = Mutex<[UInt8]>([])
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let chunk = unwrapInboundIn(data)
        let isTooMuch = collected.withLock { collected in
            collected += chunk.readableBytesView
            return collected.count > limit
        }
        guard isTooMuch else { return }
        bytes.complete(.failure(URLError.answer(.cannotParseResponse, description: "a command writes without end")))
        context.close(promise: nil)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case ChannelEvent.inputClosed: finish()
        case is IdleStateHandler.IdleStateEvent:
            bytes.complete(.failure(URLError.answer(.timedOut, description: "a command does not answer")))
            context.close(promise: nil)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func channelInactive(context: ChannelHandlerContext) { finish() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        bytes.complete(.failure(error))
        context.close(promise: nil)
    }

    private func finish() { bytes.complete(.success(collected.withLock { $0 })) }
}
#endif
