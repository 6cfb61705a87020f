import FerryCore
import Foundation

/// One watch, as its changes are printed.
struct WatchWork {
    let session: Session
    let location: Location
    let filter: WatchFilter
    let isForPrograms: Bool

    /// Prints changes until there are none any more.
    ///
    /// - Parameter most: How many, at most.
    /// - Throws: The error that breaks the watch; `CancellationError`.
    func run(most: Int?) async throws {
        let changes = try await begin()
        try tellBeginning()
        var left = most ?? .max
        var last: FileChange?
        for try await change in changes {
            last = change
            guard filter.takes(change, under: location.path) else { continue }
            try tell(change)
            left -= 1
            if left == 0 { return }
        }
        try Task.checkCancellation()
        if last == FileChange(.removed, path: location.path) {
            session.console.tell(
                "ferry: \(TerminalText.oneLine(location.text)): it is gone, and so the watch has ended"
            )
        }
    }

    /// Indicates whether the storage tells by itself; else it is asked.
    private var isTold: Bool { !location.isRemote && location.storage is any FileProviderMonitor }

    private func begin() async throws -> FileChanges {
        if let monitor = location.storage as? any FileProviderMonitor {
            return try await monitor.changes(under: location.path)
        }
        return try await PollingWatch(location.storage, path: location.path).begin()
    }

    private func tellBeginning() throws {
        if isForPrograms {
            try session.output.writeObject { line in
                line.text("event", "watching")
                line.text("path", location.path.string)
                line.text("by", isTold ? "told" : "asked")
                line.date("time", Date())
            }
            try session.output.flush()
        } else {
            let way =
                isTold
                ? "the \(location.isLocal ? "system" : "storage") tells of changes"
                : "the storage is asked again and again"
            session.console.tell("ferry: watching \(TerminalText.oneLine(location.text)): \(way)")
        }
    }

    private func tell(_ change: FileChange) throws {
        if isForPrograms {
            try session.output.writeObject { line in
                line.text("event", change.name.rawValue)
                line.text("path", change.path.string)
                if case .moved(let previous) = change.kind { line.text("from", previous.string) }
                line.date("time", Date())
            }
        } else {
            session.output.write(change.name.rawValue.padding(toLength: 12, withPad: " ", startingAt: 0))
            if case .moved(let previous) = change.kind {
                session.output.write(name: location.display(previous))
                session.output.write(" -> ")
            }
            session.output.write(name: location.display(change.path))
            try session.output.endLine()
        }
        // Whoever reads wants to know it now.
        try session.output.flush()
    }
}
