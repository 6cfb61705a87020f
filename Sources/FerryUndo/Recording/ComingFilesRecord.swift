import FerryCore
import Foundation
import Synchronization

/// The entry of new files that come to one folder together: it is written down before the first of them comes, and after
/// the last.
final class ComingFilesRecord: Sendable {
    /// One of the files, as it comes.
    struct Ticket: Sendable {
        let index: Int
        /// The step to note of it if nobody can say more.
        let intended: UndoStep
    }

    private enum Phase {
        case announced
        /// It is being written down; these wait for that.
        case beginning([CheckedContinuation<Void, any Error>])
        case begun
        case ended
    }

    private struct State {
        var phase = Phase.announced
        var recorder: ObjectIdentifier?
        var entry: UndoEntry?
        /// Where a file is in the entry's steps; a file that has come, or not, is taken out.
        var indices: [ItemPath: Int] = [:]
        /// The steps that were done, by the same numbers.
        var done: [Int: [UndoStep]] = [:]
    }

    private let state = Mutex(State())
    private let files: @Sendable () -> [ComingFiles.File]

    /// Makes the record of files; nothing is written down before one of them comes.
    ///
    /// - Parameter files: The files.
    init(of files: ComingFiles) {
        self.files = files.files
    }

    /// Writes the files down, if that wasn't done yet.
    ///
    /// - Parameters:
    ///   - path: The file that is about to come, once.
    ///   - expected: The item as it will be there.
    ///   - recorder: The recorder of the file.
    ///   - begins: Writes down what is about to be done.
    /// - Returns: `nil` if the file was announced as another, or to somebody else: then it has to be recorded by itself.
    /// - Throws: Any error that the closure throws.
    func begin(
        _ path: ItemPath,
        _ expected: ItemStamp,
        by recorder: UndoRecorder,
        _ begins: (UndoEntry) async throws -> Void
    ) async throws -> Ticket? {
        let new = state.withLock { state -> UndoEntry? in
            guard case .announced = state.phase else { return nil }
            let steps = files().map { recorder.intended($0) }
            state.phase = .beginning([])
            state.recorder = ObjectIdentifier(recorder)
            state.indices = Dictionary(zip(steps.map(\.path), 0...), uniquingKeysWith: { first, _ in first })
            state.entry = UndoEntry(
                operation: .create(path: steps.first?.path ?? path),
                steps: steps,
                isComplete: false
            )
            return state.entry
        }
        if let new {
            let result: Result<Void, any Error>
            do { result = .success(try await begins(new)) } catch { result = .failure(error) }
            let waiting = state.withLock { state -> [CheckedContinuation<Void, any Error>] in
                guard case .beginning(let waiting) = state.phase else { return [] }
                // A failure to write it down is thrown to each, and tried by each again.
                if case .success = result { state.phase = .begun } else { state.phase = .ended }
                return waiting
            }
            for waiter in waiting { waiter.resume(with: result) }
            try result.get()
        } else {
            try await hasBegun()
        }
        return state.withLock { state in
            guard case .begun = state.phase, state.recorder == ObjectIdentifier(recorder),
                let index = state.indices[path], let intended = state.entry?.steps[index],
                case .added(_, expected, _) = intended
            else { return nil }
            state.indices[path] = nil
            return Ticket(index: index, intended: intended)
        }
    }

    private func hasBegun() async throws {
        try await withCheckedThrowingContinuation { (waiter: CheckedContinuation<Void, any Error>) in
            let isOver = state.withLock { state in
                guard case .beginning(let waiting) = state.phase else { return true }
                state.phase = .beginning(waiting + [waiter])
                return false
            }
            if isOver { waiter.resume() }
        }
    }

    /// Notes what came of a file.
    ///
    /// - Parameters:
    ///   - ticket: The file.
    ///   - steps: The steps that were done; none if it did not come.
    /// - Returns: After the last of them what was done in all.
    func end(_ ticket: Ticket, _ steps: [UndoStep]) -> UndoEntry? {
        state.withLock { state in
            state.done[ticket.index] = steps
            guard case .begun = state.phase, state.done.count == state.entry?.steps.count else { return nil }
            return Self.end(&state)
        }
    }

    /// Ends it, although not all of the files have come.
    ///
    /// - Returns: The entry of all that was done; `nil` if it was returned before.
    func end() -> UndoEntry? {
        state.withLock { state in
            guard case .begun = state.phase else { return nil }
            return Self.end(&state)
        }
    }

    private static func end(_ state: inout State) -> UndoEntry? {
        state.phase = .ended
        guard var entry = state.entry else { return nil }
        entry.steps = state.done.sorted { $0.key < $1.key }.flatMap(\.value)
        (state.entry, state.done, state.indices) = (nil, [:], [:])
        return entry
    }
}
