import Synchronization

/// A file or folder that is open at a server; it is closed with its last reference at the latest.
final class SFTPHandle: Sendable {
    let name: SFTPHandleName
    let connection: SFTPConnection
    private let isOpen = Mutex(true)

    init(_ name: SFTPHandleName, on connection: SFTPConnection) {
        self.name = name
        self.connection = connection
    }

    deinit {
        if take() { connection.close(name) }
    }

    private func take() -> Bool {
        isOpen.withLock { isOpen in
            defer { isOpen = false }
            return isOpen
        }
    }

    /// Closes it, and sends that at once: behind all that was sent before.
    ///
    /// - Returns: The answer that tells if it went well, as it doesn't where a disk fills up late.
    func beginClosing() -> SFTPPendingAnswer? {
        take() ? connection.begin(.close(name)) : nil
    }
}
