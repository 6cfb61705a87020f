import NIOCore
import Synchronization

/// The connections of a listener that are open.
final class AcceptedConnections: Sendable {
    private let channels = Mutex<[ObjectIdentifier: any Channel]?>([:])

    func add(_ channel: any Channel) {
        let key = ObjectIdentifier(channel)
        let isOpen = channels.withLock { channels in
            channels?[key] = channel
            return channels != nil
        }
        guard isOpen else { return channel.close(promise: nil) }
        channel.closeFuture.whenComplete { [weak self] _ in
            self?.channels.withLock { _ = $0?.removeValue(forKey: key) }
        }
    }

    /// Closes all there are, and those that come later.
    func closeAll() {
        let all = channels.withLock { $0.take() } ?? [:]
        for channel in all.values { channel.close(promise: nil) }
    }
}
