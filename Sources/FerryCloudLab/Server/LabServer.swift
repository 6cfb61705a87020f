import FerryLoopback
import NIOCore
import NIOHTTP1
import Synchronization

/// An HTTP/1.1 server on 127.0.0.1 that hands requests to the services.
final class LabServer: Sendable {
    private let listener: LoopbackListener
    private let listening = Mutex<Task<Void, Never>?>(nil)

    var port: Int { listener.port }

    private init(listener: LoopbackListener) {
        self.listener = listener
    }

    deinit { listening.withLock { $0?.cancel() } }

    /// Takes a port; connections are made from now on, and answered once ``serve(_:)`` is called.
    ///
    /// - Parameter port: The port; 0 lets the kernel choose.
    /// - Returns: The server.
    /// - Throws: An `IOError` if the port can't be had.
    static func start(port: Int) async throws -> LabServer {
        let listener = try await LoopbackListener(port: port, reusesAddress: true) { channel in
            try channel.pipeline.syncOperations.configureHTTPServerPipeline(
                withPipeliningAssistance: false,
                withErrorHandling: true
            )
        }
        return LabServer(listener: listener)
    }

    /// Answers requests until ``stop()``, which ends the task and all that it has started.
    ///
    /// - Parameter dispatcher: The services.
    func serve(_ dispatcher: LabDispatcher) {
        let task = Task<Void, Never> { [listener] in
            await listener.serve { channel in
                try await withConnection(channel, sending: HTTPServerResponsePart.self) { inbound, outbound in
                    try await LabConnection.serve(inbound, outbound, dispatcher)
                }
            }
        }
        listening.withLock { $0 = task }
    }

    /// Stops listening, and closes all connections.
    func stop() async {
        guard let task = listening.withLock({ $0 }) else { return await listener.close() }
        task.cancel()
        await task.value
    }
}
