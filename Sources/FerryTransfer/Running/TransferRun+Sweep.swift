import FerryCore
import Foundation

extension TransferRun {
    /// Actions that may wait while listing goes on.
    static let lookAhead = 2_000

    /// The result of a task of the group.
    enum Step: Sendable {
        case looked(TransferFolder, TransferWalk.Findings, begun: [TransferAction])
        /// A folder that could not be made, with all that would go into it.
        case closed
        /// Done, or given up.
        case done(isDone: Bool, isOverloaded: Bool)
        /// To be done again.
        case again([WorkQueue.Item], isOverloaded: Bool)
        /// A folder that can't be copied as a whole.
        case opened(TransferFolder)

        /// The result of work on several items, some of which may have to be done again.
        static func ended(_ again: [WorkQueue.Item], isOverloaded: Bool) -> Step {
            again.isEmpty
                ? .done(isDone: true, isOverloaded: isOverloaded) : .again(again, isOverloaded: isOverloaded)
        }
    }

    /// Looks into folders and all below, and does what is to be done there.
    ///
    /// - Parameters:
    ///   - folders: The folders.
    ///   - actions: The actions to be done besides.
    ///   - state: Gets what comes out.
    /// - Throws: An error that ends everything.
    func sweep(_ folders: [TransferFolder], _ actions: [TransferAction], _ state: inout State) async throws {
        let executor = EventLoopExecutor.preferred(for: transfer.source.storage, transfer.target.storage)
        // Providers by themselves ask again what was too much; the load goes down at once all the same.
        let listener = OverloadListener { [retryState] in retryState.noteOverload() }
        state = try await withTaskExecutorPreference(executor) { [state] in
            try await OperationContext.with(\.overloadListener, listener) {
                try await withThrowingTaskGroup(of: (Step, weight: Int).self, returning: State.self) { group in
                    var schedule = TransferSchedule(self, folders, actions, from: state)
                    while true {
                        for (work, weight) in schedule.takeReady() {
                            // Listings often wait for each other, and share one thread.
                            let preference = executor.map { work.isFolder ? $0 : EventLoopExecutor.next() }
                            group.addTask(executorPreference: preference) {
                                let step =
                                    switch work {
                                    case .review(let batch): try await look(at: batch)
                                    case .folder(let folder): try await enter(folder)
                                    case .single(let item): try await attempt(item)
                                    case .bulk(let items, let copier): try await attempt(items, by: copier)
                                    case .readAhead(let items, let reader): try await attempt(items, readBy: reader)
                                    }
                                return (step, weight)
                            }
                        }
                        if let (step, weight) = try await group.next() {
                            try schedule.take(step, weight: weight)
                        } else if schedule.isOver() {
                            return schedule.state
                        }
                    }
                }
            }
        }
    }

    /// Makes a folder if that is needed, and looks into it.
    private func enter(_ folder: TransferFolder) async throws -> Step {
        try await control?.pass()
        if isExecuting, !folder.isAtTarget {
            let action = TransferAction(.makeFolder, folder.path, .missing, source: folder.item)
            let new = try await makeTogether(folder, action)
            if new?.isMade != true {
                let wasBegun = folder.wasBegun || new?.begun.isEmpty == false
                guard try await performFully(action, wasBegun: wasBegun) else { return .closed }
            }
            if let new { return .looked(folder, new.findings, begun: new.begun) }
        }
        var folder = folder
        if folder.isUncertain { folder.isAtTarget = true }
        return .looked(folder, try await walk.look(into: folder), begun: [])
    }
}
