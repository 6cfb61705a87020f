import ArgumentParser
import FerryCore
import FerryUndo
import Foundation

/// Takes commands of the history back, or does them again.
struct HistoryUndoing {
    let session: Session
    let keeper: HistoryKeeper
    let isDryRun: Bool

    init(_ session: Session, isDryRun: Bool) {
        self.session = session
        self.isDryRun = isDryRun
        keeper = HistoryKeeper(session)
    }

    /// Takes commands back.
    ///
    /// - Parameter wish: Which ones.
    /// - Throws: The error that ends it: an item was changed meanwhile; `ExitCode` when a part can't be taken back,
    ///   which was reported.
    func undo(_ wish: HistoryChoice.Wish) async throws {
        let history = try await settled(latest: wish.count)
        if let command = history.concluded(isRedo: false), !isDryRun, wish.mayMean(command, of: history) {
            return try await conclude(command, isRedo: false)
        }
        let choice = HistoryChoice(history: history, session: ShellSession.isInteractive ? .current : nil)
        let commands: [History.Command]
        do {
            commands = try choice.commands(wish) { tellAtWork($0) }
        } catch let refusal as HistoryChoice.Refusal {
            session.console.tell(refusal.lines.joined(separator: "\n"))
            throw ExitCode.failure
        }
        // A person may have another command in mind.
        if case .lastHere = wish, !isDryRun {
            for command in commands { session.console.tell("ferry: undoes \(HistoryWords.line(command))") }
        }
        try await run(commands, isRedo: false)
    }

    /// Does again what was taken back last.
    ///
    /// - Parameter count: How many commands.
    /// - Throws: As ``undo(_:)``.
    func redo(_ count: Int) async throws {
        let history = try await settled(latest: count)
        if let command = history.concluded(isRedo: true), !isDryRun, history.isLatest(command) {
            return try await conclude(command, isRedo: true)
        }
        let all = history.redoable
        for command in all where command.isRunning { tellAtWork(command) }
        let commands = all.filter { !$0.isRunning }.prefix(count)
        guard !commands.isEmpty else {
            throw CocoaError.location("history", "there is nothing to redo", "see 'ferry history'")
        }
        try await run(Array(commands), isRedo: true)
    }

    /// The history, where it is known how far everything came.
    private func settled(latest count: Int) async throws -> History {
        var count = max(200, count)
        var history = try await keeper.read(latest: count)
        if history.groups.contains(where: { !$0.isRead && !$0.isDropped && !$0.turning.isEmpty }) {
            count = .max
            history = try await keeper.read(latest: count)
        }
        guard try await HistorySettling(keeper: keeper).run(history) else { return history }
        return try await keeper.read(latest: count)
    }

    /// Says that it is done, and no other command is taken in its place.
    private func conclude(_ command: History.Command, isRedo: Bool) async throws {
        guard let own = command.unfinished(isRedo: isRedo) else { return }
        try await keeper.write(.ended(own.id, kept: own.keeps))
        let isWhole = lost(of: command, isRedo: isRedo).isEmpty
        try tell(command, isWhole: isWhole, isRedo: isRedo)
        if !isWhole { throw ExitCode.failure }
    }

    /// Steps that can't be taken back, with what locations on their storages begin with.
    private func lost(of command: History.Command, isRedo: Bool) -> [(prefix: String, step: UndoStep)] {
        ([command.given] + command.turns).filter { $0.isUndo == isRedo }.flatMap(\.entries).flatMap { entry in
            entry.entry.steps.filter { !$0.isReversible }.map { (entry.prefix, $0) }
        }
    }

    private func tellAtWork(_ command: History.Command) {
        session.console.tell("ferry: note: '\(HistoryWords.command(command.given))' is still at work, and is left out")
    }

    private func run(_ commands: [History.Command], isRedo: Bool) async throws {
        var isWhole = true
        for command in commands {
            let isAll = try await run(command, isRedo: isRedo)
            isWhole = isWhole && isAll
        }
        if !isWhole { throw ExitCode.failure }
    }

    /// - Returns: `true` if all of it was taken back.
    private func run(_ command: History.Command, isRedo: Bool) async throws -> Bool {
        let groups = isRedo ? command.redoable : command.undoable
        var works: [UndoPerformer.Work] = []
        var prefixes: [UUID: String] = [:]
        let lost = lost(of: command, isRedo: isRedo)
        for (prefix, step) in lost {
            let name = prefix + step.path.string
            session.console.tell("ferry: note: \(TerminalText.oneLine(name)): nothing was kept of it")
        }
        let isWhole = lost.isEmpty
        for entry in groups.flatMap(\.entries) {
            var kept = entry.entry
            kept.steps.removeAll { !$0.isReversible }
            if kept.steps.isEmpty { continue }
            prefixes[kept.id] = entry.prefix
            for root in entry.roots ?? [] { try await session.hold(root: root) }
            let (storage, location) = try await keeper.storage(entry.prefix)
            if !isDryRun { await session.changes(location) }
            let attempts = groups.compactMap { $0.turning[kept.id] }.first ?? []
            works.append(UndoPerformer.Work(kept, on: storage, attempts: attempts))
        }
        let earlier = try await worksTurned(of: command, isRedo: isRedo, on: Set(prefixes.values))
        let isBegun = !earlier.isEmpty
        let performer = UndoPerformer()
        if isDryRun {
            let settled = try await naming(on: Set(prefixes.values), isRedo: isRedo, isBegun: isBegun) {
                try await performer.check(works, after: earlier)
            }
            try show(settled, prefixes)
            try session.output.flush()
            return isWhole
        }
        let journal = HistoryTurnJournal(file: keeper.file, command: command, works: groups, isRedo: isRedo)
        let outcome = try await naming(on: Set(prefixes.values), isRedo: isRedo, isBegun: isBegun) {
            try await performer.undo(works, after: earlier) { try await journal.note($0) }
        }
        try await journal.end(outcome)
        await HistoryLeftovers(groups.flatMap(\.entries)).remove(keeper)
        if let failure = outcome.failure {
            let done = earlier + outcome.done
            try await naming(on: Set(prefixes.values), isRedo: isRedo, isBegun: !done.isEmpty) {
                throw HistoryFailure(failure, done: done, left: outcome.left, of: command, isRedo: isRedo)
                    .error { prefixes[$0] ?? "" }
            }
        }
        for prefix in Set(prefixes.values) where !prefix.isEmpty { await keeper.removeEmptyAside(prefix) }
        try tell(command, isWhole: isWhole, isRedo: isRedo)
        return isWhole
    }

    /// Returns what was done already of taking a command back that was broken off, on the storages of what is left.
    private func worksTurned(
        of command: History.Command,
        isRedo: Bool,
        on prefixes: Set<String>
    ) async throws -> [UndoPerformer.Work] {
        var works: [UndoPerformer.Work] = []
        for entry in command.unfinished(isRedo: isRedo)?.entries ?? [] where prefixes.contains(entry.prefix) {
            works.append(UndoPerformer.Work(entry.entry, on: try await keeper.storage(entry.prefix).undo))
        }
        return works
    }

    // `prefixes`: of locations on the storages that it is about; `isBegun`: a part of the command has been taken back already,
    // and stays so.
    private func naming<Result>(
        on prefixes: Set<String>,
        isRedo: Bool,
        isBegun: Bool,
        _ body: () async throws -> Result
    ) async throws -> Result {
        do {
            return try await body()
        } catch let refusal as UndoRefusal {
            let prefix = prefixes.count == 1 ? prefixes.first ?? "" : ""
            throw CocoaError.location(
                prefix + refusal.path.string,
                refusal.failureReason ?? "",
                refusal.suggestion(isRedo: isRedo, isBegun: isBegun) + ", or forget it with 'ferry history clear'"
            )
        }
    }

    private func show(
        _ works: [UndoPerformer.Work],
        _ prefixes: [UUID: String]
    ) throws {
        for work in works.reversed() {
            for step in work.entry.steps.reversed() {
                let line = HistoryWords.inverse(of: step, prefix: prefixes[work.entry.id] ?? "")
                session.output.write(name: TerminalText.oneLine(line))
                try session.output.endLine()
            }
        }
    }

    private func tell(_ command: History.Command, isWhole: Bool, isRedo: Bool) throws {
        let word = (isWhole ? "" : "partly ") + (isRedo ? "redone" : "undone")
        session.output.write(name: TerminalText.oneLine("\(word): \(HistoryWords.command(command.given))"))
        try session.output.endLine()
        try session.output.flush()
    }
}

extension HistoryChoice.Wish {
    /// Returns whether it can be about a command that was undone: of the last ones only if none was given since.
    fileprivate func mayMean(_ command: History.Command, of history: History) -> Bool {
        let later = history.commands.reversed().prefix { $0.given.id != command.given.id }
        return switch self {
        case .last: later.allSatisfy { $0.isUndone || $0.isRunning }
        case .lastHere:
            command.given.header.session == .current
                && later.allSatisfy { $0.isUndone || $0.isRunning || $0.given.header.session != .current }
        case .one(let id): command.given.id.uuidString.lowercased().hasPrefix(id.lowercased())
        }
    }

    /// How many commands are meant.
    fileprivate var count: Int {
        switch self {
        case .lastHere(let count), .last(let count): count
        // It may be any of those that are remembered.
        case .one: .max
        }
    }
}
