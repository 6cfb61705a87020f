import Synchronization

/// State that a server and its connections share.
final class Shared<Value: Sendable>: Sendable {
    let value: Mutex<Value>

    init(_ value: Value) {
        self.value = Mutex(value)
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
