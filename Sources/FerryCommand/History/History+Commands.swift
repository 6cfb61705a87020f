import FerryCore
import FerryUndo
import Foundation

extension History {
    /// A command, with what taking it back and doing it again has made of it.
    struct Command {
        /// As it was given.
        let given: Group
        /// The undoings and redoings of it since, the latest last.
        fileprivate(set) var turns: [Group] = []

        /// The latest undoing or redoing, or the command itself.
        var latest: Group { turns.last ?? given }

        /// Bytes that are kept for it, and for what was done with it since.
        var kept: Int64 {
            ([given] + turns).reduce(0) { $0 + ($1.isDropped ? 0 : $1.kept) }
        }

        /// Indicates whether a process is at work on it.
        var isRunning: Bool { ([given] + turns).contains(where: \.isRunning) }

        /// The groups that are taken back to undo it, in the order in which they were done.
        var undoable: [Group] { ([given] + turns).filter { !$0.isUndo && $0.isReversible } }

        /// The groups that are taken back to redo it, in the order in which they were done.
        var redoable: [Group] { turns.filter { $0.isUndo && $0.isReversible } }

        /// Indicates whether it has done nothing at all, and is over.
        var isEmpty: Bool { given.entries.isEmpty && turns.isEmpty && given.hasEnded }

        /// Indicates whether it was undone, as far as that was possible.
        var isUndone: Bool { undoable.isEmpty && turns.last?.isUndo == true }

        /// The undoing or redoing of it that was broken off, and is gone on with.
        ///
        /// - Parameter isRedo: Which of the two.
        /// - Returns: `nil` if there is none.
        func unfinished(isRedo: Bool) -> Group? {
            turns.last.flatMap { !$0.hasEnded && $0.isUndo != isRedo ? $0 : nil }
        }
    }

    /// The commands that were given, each once; the latest last.
    ///
    /// Those that have done nothing are left out.
    var commands: [Command] {
        var commands: [Command] = []
        var places: [UUID: Int] = [:]
        for group in groups {
            switch group.header.kind {
            case .undo(let id), .redo(let id):
                if let place = places[id] {
                    commands[place].turns.append(group)
                    places[group.id] = place
                    continue
                }
            case .done: break
            }
            places[group.id] = commands.count
            commands.append(Command(given: group))
        }
        // Of what was undone long ago, the command itself may be forgotten.
        return commands.filter { !$0.isEmpty && !$0.given.isUndo }
    }

    /// The command of which an undoing or redoing was killed when all was done, and had not said so.
    ///
    /// - Parameter isRedo: Which of the two.
    /// - Returns: `nil` if there is none. A command whose entries were not read, or whose kept contents had to make room, is
    ///   none: that nothing of it is left to take back doesn't mean that it was taken back.
    func concluded(isRedo: Bool) -> Command? {
        commands.last { command in
            !command.isRunning && command.unfinished(isRedo: isRedo) != nil
                && (isRedo ? command.redoable : command.undoable).isEmpty
                && ([command.given] + command.turns).allSatisfy { $0.isRead && !$0.isDropped }
        }
    }

    /// Returns `true` if nothing was done since a command was undone or redone.
    func isLatest(_ command: Command) -> Bool { latestTurns.contains { $0.id == command.latest.id } }

    /// The undoings and redoings since anything else was done, the latest first.
    private var latestTurns: some Sequence<Group> {
        groups.reversed().prefix { group in
            if case .done = group.header.kind { return group.entries.isEmpty }
            return true
        }
    }

    /// The commands that can be redone, the latest first: none, once something else was done.
    var redoable: [Command] {
        let turned = latestTurns.filter { $0.isUndo && $0.isReversible }.map(\.id)
        let commands = commands
        var found: [Command] = []
        for id in turned {
            guard let command = commands.first(where: { $0.turns.contains { $0.id == id } }),
                !found.contains(where: { $0.given.id == command.given.id })
            else { continue }
            found.append(command)
        }
        return found
    }
}

extension History.Group {
    /// The prefixes of locations on the servers that something may be kept on for it.
    var places: [String] {
        Set(keeps.keys).union(entries.filter { $0.entry.steps.contains { $0.kept?.isOurs == true } }.map(\.prefix))
            .subtracting([""]).sorted()
    }

    /// Indicates whether it takes something back.
    var isUndo: Bool {
        if case .undo = header.kind { return true }
        return false
    }
}
