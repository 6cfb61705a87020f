import FerryCore
import Foundation

/// Decides which commands are taken back: the last or nothing, never one that was given before the last.
struct HistoryChoice {
    /// The commands that a person asks for.
    enum Wish: Hashable {
        /// So many, the last of those that were given in this terminal.
        case lastHere(Int)
        /// So many, the last of all.
        case last(Int)
        /// One that is named.
        case one(String)
    }

    /// The entry that was done.
    let history: History

    /// The session that commands are given in; `nil` in a script.
    let session: ShellSession?

    /// Chooses.
    ///
    /// - Parameters:
    ///   - wish: The commands that a person asks for.
    ///   - skipping: Called with each command that is left out because it is still at work.
    /// - Returns: Commands, in the order in which they are taken back; at least one.
    /// - Throws: `CocoaError` that says why none is.
    func commands(_ wish: Wish, skipping: (History.Command) -> Void) throws -> [History.Command] {
        switch wish {
        case .one(let id): return [try command(id)]
        case .last(let count): return try last(count, of: history.commands, skipping)
        case .lastHere(let count):
            guard let session else { throw unclear("in a script it must be said which command") }
            let here = history.commands.filter { $0.given.header.session == session }
            if !here.contains(where: { !$0.isUndone }), history.commands.contains(where: { !$0.isUndone }) {
                throw unclear("nothing was done in this terminal that could be undone")
            }
            return try last(count, of: here, skipping)
        }
    }

    private func last(
        _ count: Int,
        of commands: [History.Command],
        _ skipping: (History.Command) -> Void
    ) throws -> [History.Command] {
        var chosen: [History.Command] = []
        for command in commands.reversed() where chosen.count < count && !command.isUndone {
            if command.isRunning {
                skipping(command)
                continue
            }
            guard !command.undoable.isEmpty, !command.given.isDropped else {
                let which = chosen.isEmpty ? "the last command, " : "of the last \(count) commands "
                throw refused(
                    "\(which)'\(HistoryWords.command(command.given))'\(chosen.isEmpty ? "," : "") can't be undone"
                )
            }
            chosen.append(command)
        }
        guard chosen.isEmpty else { return chosen }
        throw CocoaError.location("history", "there is nothing to undo", "see 'ferry history'")
    }

    /// The command that a person names by its id or the beginning of it.
    ///
    /// - Parameters:
    ///   - id: The text that a person wrote.
    ///   - history: The history to search.
    /// - Returns: The command.
    /// - Throws: `CocoaError` if there is none, or it isn't clear which.
    static func named(_ id: String, in history: History) throws -> History.Command {
        let wanted = id.lowercased()
        let found = history.commands.filter { command in
            !wanted.isEmpty && command.given.id.uuidString.lowercased().hasPrefix(wanted)
        }
        guard let command = found.first, found.count == 1 else {
            throw CocoaError.location(
                id.isEmpty ? "''" : id,
                found.isEmpty ? "there is no such command" : "there are \(found.count) commands that could be meant",
                "see them with 'ferry history'"
            )
        }
        return command
    }

    private func command(_ id: String) throws -> History.Command {
        let command = try Self.named(id, in: history)
        let words = HistoryWords.command(command.given)
        if command.isRunning { throw CocoaError.location("history", "'\(words)' is still at work", "wait for it") }
        if command.isUndone {
            throw CocoaError.location("history", "'\(words)' is undone already", "see 'ferry history'")
        }
        guard !command.undoable.isEmpty, !command.given.isDropped else { throw refused("'\(words)' can't be undone") }
        return command
    }

    /// Commands that could be taken back, the latest first.
    private var candidates: [History.Command] {
        history.commands.reversed().filter {
            !$0.isUndone && !$0.isRunning && !$0.undoable.isEmpty && !$0.given.isDropped
        }
    }

    private func refused(_ words: String) -> any Error {
        Refusal(words: words, advice: "name one that can be, with 'ferry undo ID'", candidates: candidates)
    }

    private func unclear(_ words: String) -> any Error {
        Refusal(
            words: words,
            advice: "name it with 'ferry undo ID', or give --any for the last",
            candidates: candidates
        )
    }

    /// Nothing is undone, and what could be is named.
    struct Refusal: Error {
        /// Commands that are named at most.
        private static let most = 5

        let words: String
        let advice: String
        let candidates: [History.Command]

        /// The lines that a person is told: the first is an error's, the others name commands.
        var lines: [String] {
            guard !candidates.isEmpty else { return ["ferry: history: \(words), see 'ferry history'"] }
            let more = candidates.count - Self.most
            return ["ferry: history: \(words), \(advice):"]
                + candidates.prefix(Self.most).map { "  " + HistoryWords.line($0) }
                + (more > 0 ? ["  and \(Quantity.grouped(more)) more, see 'ferry history'"] : [])
        }
    }
}
