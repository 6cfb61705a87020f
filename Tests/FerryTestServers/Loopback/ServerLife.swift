import NIOCore
import Synchronization

/// State that a server and its connections share.
final class Shared<Value: Sendable>: Sendable {
    let value: Mutex<Value>

    init(_ value: Value) {
        self.value = Mutex(value)
    }
}

/// Accepts connections until the task is cancelled; then closes them all.
///
/// - Parameters:
///   - listener: Where connections come from.
///   - connected: What to do with each; what it throws ends that connection only.
func serve<In: Sendable, Out: Sendable>(
    _ listener: NIOAsyncChannel<NIOAsyncChannel<In, Out>, Never>,
    _ connected: @escaping @Sendable (NIOAsyncChannel<In, Out>) async throws -> Void
) async {
    await withDiscardingTaskGroup { group in
        // A listener that can't go on has no one to tell but the clients, who see it.
        try? await listener.executeThenClose { connections in
            for try await connection in connections {
                // A client that goes away, or a test that wants the connection gone, is nothing to report.
                group.addTask { try? await connected(connection) }
            }
        }
        group.cancelAll()
    }
}

/// Stops a server after `body`, whatever that did.
func withServer<Server, Result>(
    _ server: Server,
    stop: (Server) async -> Void,
    _ body: (Server) async throws -> Result
) async throws -> Result {
    do {
        let result = try await body(server)
        await stop(server)
        return result
    } catch {
        await stop(server)
        throw error
    }
}
