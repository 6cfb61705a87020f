#if canImport(Darwin)
public import Foundation

extension FileUndoManager {
    /// Lets an app's own undo manager drive this one: what is done with files takes its turn among all else that can be
    /// undone.
    ///
    /// - Parameters:
    ///   - undoManager: The window's or document's undo manager.
    ///   - report: Called with the error when something was not undone.
    /// - Returns: The observer's identifier: give it to ``removeObserver(_:)``.
    @MainActor
    @discardableResult
    public func drive(
        by undoManager: UndoManager,
        reporting report: @escaping @MainActor @Sendable (any Error) -> Void
    ) -> UUID {
        var known = undoCount
        return onChange { [weak self, weak undoManager] _ in
            Task { @MainActor in
                guard let self, let undoManager else { return }
                let count = self.undoCount
                defer { known = count }
                // Only what is new is registered; undoing and redoing register their own counterparts.
                if count > known, !undoManager.isUndoing, !undoManager.isRedoing, !self.isDriven {
                    self.register(in: undoManager, undoing: true, report)
                }
            }
        }
    }

    /// Indicates whether the change comes from the other undo manager.
    @MainActor private var isDriven: Bool { Self.driven > 0 }

    @MainActor private static var driven = 0

    @MainActor
    private func register(
        in undoManager: UndoManager,
        undoing: Bool,
        _ report: @escaping @MainActor @Sendable (any Error) -> Void
    ) {
        let title = undoing ? undoTitle : redoTitle
        undoManager.registerUndo(withTarget: self) { [weak undoManager] target in
            // `UndoManager` is the main actor's, and calls in its `undo()`. The other direction must be registered before
            // that returns, so that a task would come too late.
            MainActor.assumeIsolated {
                guard let undoManager else { return }
                target.register(in: undoManager, undoing: !undoing, report)
                Self.driven += 1
                Task { @MainActor in
                    defer { Self.driven -= 1 }
                    do {
                        if undoing { try await target.undo() } else { try await target.redo() }
                    } catch {
                        report(error)
                    }
                }
            }
        }
        undoManager.setActionName(String(title.drop { $0 != " " }.dropFirst()))
    }
}
#endif
