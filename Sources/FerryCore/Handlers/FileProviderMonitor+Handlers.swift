import Dispatch
import Foundation
import Logging

extension FileProviderMonitor {
    /// Calls back when something at or below a path has changed: at most once in 0.2 s, on the callback queue.
    ///
    /// The first change is reported at once; those that follow within 0.2 s together, at the end of that time. A second
    /// registration of the same path replaces the first.
    ///
    /// - Parameters:
    ///   - path: The item to watch.
    ///   - eventHandler: Called when something has changed, and once more when watching has ended: look again.
    public func registerNotification(path: ItemPath, eventHandler: @escaping @Sendable () -> Void) {
        let provider = self
        let queue = environment.callbackQueue
        let task = Task { [weak environment] in
            await NotificationPacer(interval: .milliseconds(200)) { queue.async(execute: eventHandler) }
                .run(on: provider, path: path)
            if !Task.isCancelled { environment?.register(nil, for: path) }
        }
        environment.register(task, for: path)
    }

    /// Ends what ``registerNotification(path:eventHandler:)`` has begun.
    ///
    /// - Parameter path: The path that was registered.
    public func unregisterNotification(path: ItemPath) {
        environment.register(nil, for: path)
    }

    /// Returns whether a handler is registered for exactly this path.
    ///
    /// - Parameter path: The path.
    /// - Returns: `false` also when the watched item is gone.
    public func isRegisteredForNotification(path: ItemPath) -> Bool {
        environment.isRegistered(path)
    }
}

/// Turns any number of changes into few calls.
private actor NotificationPacer {
    private let interval: Duration
    private let notify: @Sendable () -> Void
    private var isResting = false
    private var hasNews = false

    init(interval: Duration, notify: @escaping @Sendable () -> Void) {
        self.interval = interval
        self.notify = notify
    }

    func run(on provider: any FileProviderMonitor, path: ItemPath) async {
        do {
            try await withThrowingDiscardingTaskGroup { group in
                for try await _ in try await provider.changes(under: path) {
                    hasNews = true
                    guard !isResting else { continue }
                    isResting = true
                    group.addTask { try await self.notifyUntilQuiet() }
                }
            }
        } catch is CancellationError {
            return
        } catch {
            provider.environment.logger.debug("watching has ended", metadata: ["error": "\(error)"])
        }
        if !Task.isCancelled { notify() }
    }

    private func notifyUntilQuiet() async throws {
        defer { isResting = false }
        while hasNews {
            hasNews = false
            notify()
            try await Task.sleep(for: interval)
        }
    }
}
