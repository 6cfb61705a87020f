#if os(Linux) || os(macOS)
import FerryCore
import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// The error output of a program: the end of it is kept.
final class SSHErrorOutput: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    /// Bytes that are kept.
    private static let most = 16 << 10

    private let bytes = Mutex<[UInt8]>([])
    private let end = SFTPAnswerFuture<Void>()

    private init() {}

    /// Begins to read.
    ///
    /// - Parameters:
    ///   - descriptor: A pipe, which is closed in the end.
    ///   - loop: The thread that reads.
    /// - Returns: The output that will have been read.
    /// - Throws: The error that keeps it from being read.
    static func read(_ descriptor: CInt, on loop: any EventLoop) async throws -> SSHErrorOutput {
        let output = SSHErrorOutput()
        let channel = try await NIOPipeBootstrap(group: loop)
            .channelInitializer { $0.pipeline.addHandler(output) }
            .takingOwnershipOfDescriptor(input: descriptor).get()
        channel.closeFuture.whenComplete { [end = output.end] _ in end.complete(.success(())) }
        return output
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let chunk = unwrapInboundIn(data)
        bytes.withLock { bytes in
            bytes += chunk.readableBytesView
            if bytes.count > Self.most { bytes.removeFirst(bytes.count - Self.most) }
        }
    }

    /// All that was said, once it has ended.
    ///
    /// - Parameter time: How long to wait for that: who shares the program's output may live on.
    /// - Returns: The text, without control characters but line ends.
    func words(waiting time: Duration) async -> String {
        let timer = EventLoopExecutor.anyLoop.scheduleTask(in: .nanoseconds(time.nanoseconds)) { [end] in
            end.complete(.success(()))
        }
        _ = try? await end.value()
        timer.cancel()
        let text = String(decoding: bytes.withLock { $0 }, as: UTF8.self)
        return String(
            String.UnicodeScalarView(text.unicodeScalars.filter { $0 == "\n" || $0.value >= 32 && $0.value != 127 })
        )
    }
}
#endif
