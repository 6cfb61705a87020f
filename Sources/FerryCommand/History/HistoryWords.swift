import FerryCore
import FerryUndo
import Foundation

/// The words in which the history is shown to a person.
enum HistoryWords {
    /// The command as it was given, for one line.
    static func command(_ group: History.Group) -> String {
        let words = group.header.arguments.map { word in
            let isPlain = !word.isEmpty && !word.contains { " '\"\\$`*?[]{}()<>|&;#\n\t".contains($0) }
            return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
        }
        return TerminalText.oneLine(words.joined(separator: " "))
    }

    /// The beginning of its id, by which a person names it.
    static func id(_ command: History.Command) -> String {
        String(command.given.id.uuidString.lowercased().prefix(8))
    }

    /// One line that names a command: its id, when it was given, and the command itself.
    static func line(_ command: History.Command) -> String {
        "\(id(command))  \(UTCTime.text(command.given.header.date).prefix(19))Z  \(self.command(command.given))"
    }

    /// The state of the job.
    static func state(_ command: History.Command) -> String {
        let (given, latest) = (command.given, command.latest)
        if command.isRunning { return "at work" }
        if !command.turns.isEmpty {
            if !latest.isUndo { return command.redoable.isEmpty ? "redone" : "partly redone" }
            return command.undoable.isEmpty && given.entries.isEmpty ? "undone" : "partly undone"
        }
        if given.entries.isEmpty { return "nothing done" }
        if given.isDropped { return "too old to undo" }
        if !given.isReversible { return "can't be undone" }
        return given.hasEnded ? "done" : "interrupted"
    }

    /// Returns what taking a step back does.
    ///
    /// - Parameters:
    ///   - step: The step.
    ///   - prefix: The prefix of locations on its storage.
    /// - Returns: One line.
    static func inverse(of step: UndoStep, prefix: String) -> String {
        func name(_ path: ItemPath) -> String { prefix + path.string }
        return switch step {
        case .made(let path, _): "remove the folder \(name(path))"
        case .unmade(let path, _): "make the folder \(name(path))"
        case .moved(let source, let target, _): "move \(name(target)) -> \(name(source))"
        case .added(let path, _, again: _): "take away \(name(path))"
        case .removed(let path, _, _): "bring back \(name(path))"
        case .replaced(let path, _, _, _): "bring back the old content of \(name(path))"
        case .changed(let path, _, from: _, to: _): "set the old attributes of \(name(path))"
        case .lost(let path, _): "\(name(path)) can't come back"
        }
    }
}
