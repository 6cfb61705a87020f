package import NIOCore

/// Reads a connection, and closes it in the end.
///
/// Only now is the channel wrapped, and read from: a wrapped one that nobody gets to serve, since the listener stops just
/// then, would end the process.
///
/// - Parameters:
///   - channel: A connection of a ``LoopbackListener``.
///   - out: The type of values that are written to it.
///   - body: The work with what comes, and the writer.
/// - Returns: The value that `body` returns.
/// - Throws: Any error that `body` throws; `ChannelError` when the connection is closed already.
package func withConnection<In: Sendable, Out: Sendable, Result: Sendable>(
    _ channel: any Channel,
    sending out: Out.Type,
    _ body: (NIOAsyncChannelInboundStream<In>, NIOAsyncChannelOutboundWriter<Out>) async throws -> Result
) async throws -> Result {
    let wrapped = try await channel.eventLoop.submit {
        do {
            guard channel.isActive else { throw ChannelError.alreadyClosed }
            return try NIOAsyncChannel<In, Out>(wrappingChannelSynchronously: channel)
        } catch {
            channel.close(promise: nil)
            throw error
        }
    }.get()
    return try await wrapped.executeThenClose { inbound, outbound in
        // One that is closed already may have brought something before.
        try? await channel.setOption(.autoRead, value: true).get()
        return try await body(inbound, outbound)
    }
}
