import FerryCore
import Foundation
import Synchronization

/// Keeps account of a transfer, for tasks that work at the same time.
final class TransferLedger: Sendable {
    /// An item that is under way.
    struct Item: Hashable, Sendable {
        fileprivate let number: Int
    }

    private struct Running {
        /// The item's own progress; `nil` if nobody watches.
        let progress: Progress?
        /// Bytes that were expected when it was found, or that have come since, if these are more.
        var expected: Int64
        var done: Int64 = 0
        /// Files that it stands for: more than one where a folder is copied as a whole.
        var files = 1
        var filesDone = 0
    }

    private struct State {
        var report = TransferReport()
        var status = TransferStatus()
        var running: [Item: Running] = [:]
        var begun = 0
        var mostWaiting = 0

        mutating func forgetFiles(of item: Running) {
            status.filesFound -= item.files
            status.filesDone -= item.filesDone
        }
    }

    /// The account itself, which whoever watches the progress may look at when the transfer is over.
    private final class Account: Sendable {
        let state = Mutex(State())
    }

    private let account = Account()
    private let progress: Progress?
    private let events: (@Sendable (TransferEvent) -> Void)?
    /// One event at a time.
    private let telling = Mutex(())

    /// Begins at nothing.
    ///
    /// - Parameters:
    ///   - progress: The progress to move; `nil` if nobody watches.
    ///   - events: Whom to tell.
    init(progress: Progress?, events: (@Sendable (TransferEvent) -> Void)?) {
        self.progress = progress
        self.events = events
        guard let progress else { return }
        progress.kind = .file
        progress.setFact(Progress.FileOperationKind.copying, forKey: .fileOperationKindKey)
        if progress.startTime == nil { progress.setFact(Date(), forKey: .startTimeKey) }
        // Once, since others may read what is set while we go on: it can be asked from any thread.
        let status: @Sendable () -> TransferStatus = { [account] in account.state.withLock { $0.status } }
        progress.setFact(status, forKey: .transferStatusKey)
        let files: @Sendable () -> [Progress] = { [account] in
            account.state.withLock { $0.running.sorted { $0.key.number < $1.key.number }.compactMap(\.value.progress) }
        }
        progress.setFact(files, forKey: .transferFilesKey)
    }

    /// The report of what was done so far.
    var report: TransferReport { account.state.withLock { $0.report } }

    /// How far it is.
    var status: TransferStatus { account.state.withLock { $0.status } }

    /// Actions that waited at most at the same time.
    var mostWaiting: Int { account.state.withLock { $0.mostWaiting } }

    /// So many actions wait.
    func wait(_ count: Int) {
        account.state.withLock { $0.mostWaiting = max($0.mostWaiting, count) }
    }

    // MARK: Work that was found

    /// Actions were found that will be done.
    func find(_ actions: some Sequence<TransferAction>) {
        var (files, bytes) = (0, Int64(0))
        for action in actions where action.movesContent {
            files += 1
            bytes = bytes.adding(action.bytes)
        }
        account.state.withLock { state in
            state.status.filesFound += files
            state.status.bytesFound = state.status.bytesFound.adding(bytes)
            show(state)
        }
    }

    /// Everything was found: now the total is known.
    func foundAll() {
        account.state.withLock { state in
            state.status.isListed = true
            show(state)
        }
    }

    /// It is over: shows the end, also where no bytes had to pass.
    func finish() {
        account.state.withLock { state in
            let found = state.status.bytesFound
            guard let progress, !progress.isFinished, state.status.bytesDone == found else { return }
            if found > 0 { progress.totalUnitCount = found } else { progress.finish() }
        }
    }

    // MARK: Work that was done

    /// Something begins.
    ///
    /// - Parameter action: The action.
    /// - Returns: The item that bytes are added to, until it is done or has failed.
    func began(_ action: TransferAction) -> Item {
        let isWatched = progress != nil || events != nil
        let (item, child) = account.state.withLock { state -> (Item, Progress?) in
            let item = Item(number: state.begun)
            state.begun += 1
            let child = isWatched ? makeChild(for: action) : nil
            state.running[item] = Running(progress: child, expected: action.bytes)
            return (item, child)
        }
        if let child { tell(.began(action, child)) }
        return item
    }

    /// Bytes of an item have passed.
    func add(_ bytes: Int64, to item: Item) {
        account.state.withLock { state in
            state.report.bytes += bytes
            guard var running = state.running[item] else { return }
            running.done += bytes
            if running.done > running.expected {
                state.status.bytesFound = state.status.bytesFound.adding(running.done - running.expected)
                running.expected = running.done
                running.progress?.totalUnitCount = running.expected
            }
            running.progress?.completedUnitCount = running.done
            state.running[item] = running
            state.status.bytesDone += bytes
            show(state)
        }
    }

    /// More files of an item have been found, or are done.
    func add(filesFound: Int, filesDone: Int, to item: Item) {
        guard filesFound != 0 || filesDone != 0 else { return }
        account.state.withLock { state in
            guard state.running[item] != nil else { return }
            state.running[item]?.files += filesFound
            state.running[item]?.filesDone += filesDone
            state.status.filesFound += filesFound
            state.status.filesDone += filesDone
        }
    }

    /// Bytes of an item need not be moved: they have arrived in an earlier run.
    func skip(_ bytes: Int64, of item: Item) {
        add(bytes, to: item)
        account.state.withLock { $0.report.bytes -= bytes }
    }

    /// More bytes of an item are to come than was known when it was found.
    func expect(_ bytes: Int64, of item: Item) {
        account.state.withLock { state in
            guard let expected = state.running[item]?.expected, bytes > expected else { return }
            state.running[item]?.expected = bytes
            state.running[item]?.progress?.totalUnitCount = bytes
            state.status.bytesFound = state.status.bytesFound.adding(bytes - expected)
            show(state)
        }
    }

    /// An item is not done like this, but in parts that will be found one by one.
    func dissolve(_ item: Item, _ action: TransferAction) {
        account.state.withLock { state in
            guard let running = state.running.removeValue(forKey: item) else { return }
            state.status.bytesDone -= running.done
            state.status.bytesFound = state.status.bytesFound.adding(-running.expected)
            if action.movesContent { state.forgetFiles(of: running) }
            running.progress?.finish()
            show(state)
        }
    }

    /// An item begins once more, at its first byte.
    func restarted(_ item: Item) {
        account.state.withLock { state in
            guard let running = state.running[item] else { return }
            state.forgetFiles(of: running)
            state.status.filesFound += 1
            state.running[item]?.files = 1
            state.running[item]?.filesDone = 0
            let done = running.done
            guard done > 0 else { return }
            state.running[item]?.done = 0
            state.running[item]?.progress?.completedUnitCount = 0
            state.status.bytesDone -= done
            show(state)
        }
    }

    /// Something was done.
    ///
    /// - Parameters:
    ///   - action: The action.
    ///   - losses: The losses.
    ///   - item: The item that had begun; `nil` if nothing had to be done.
    ///   - planned: The action that had been found, if another was done.
    ///   - copied: The items in a folder that was copied as a whole, where they are known.
    func did(
        _ action: TransferAction,
        _ losses: Set<TransferReport.Loss>,
        _ item: Item? = nil,
        planned: TransferAction? = nil,
        copied: CopiedItems? = nil
    ) {
        account.state.withLock { state in
            if let copied {
                state.report.counts[action.kind, default: 0] += copied.files
                if copied.folders > 0 { state.report.counts[.makeFolder, default: 0] += copied.folders }
                if copied.withoutAttributes > 0 {
                    state.report.losses[.extendedAttributes, default: 0] += copied.withoutAttributes
                }
            } else {
                state.report.counts[action.kind, default: 0] += 1
            }
            for loss in losses { state.report.losses[loss, default: 0] += 1 }
            let running = item.flatMap { state.running.removeValue(forKey: $0) }
            if (planned ?? action).movesContent {
                // Items that an earlier run has copied are done, too, but not by this one.
                let files = copied.map { max($0.files, running?.filesDone ?? 0) } ?? 1
                state.status.filesFound += files - (running?.files ?? 1)
                state.status.filesDone += files - (running?.filesDone ?? 0)
            }
            guard let running else { return }
            // It was shorter than expected, or was not counted on its way.
            state.status.bytesDone = state.status.bytesDone.adding(running.expected - running.done)
            running.progress?.finish()
            show(state)
        }
        tell(.did(action))
    }

    /// Something that was done turned out not to be, and is to be found, or to fail, anew.
    ///
    /// - Parameters:
    ///   - action: The action.
    ///   - bytes: The bytes that it was found with.
    ///   - losses: The losses.
    func undid(_ action: TransferAction, bytes: Int64, _ losses: Set<TransferReport.Loss>) {
        account.state.withLock { state in
            for loss in losses {
                let rest = (state.report.losses[loss] ?? 1) - 1
                state.report.losses[loss] = rest > 0 ? rest : nil
            }
            state.report.counts[action.kind, default: 1] -= 1
            if state.report.counts[action.kind] == 0 { state.report.counts[action.kind] = nil }
            guard action.movesContent else { return }
            state.status.filesFound -= 1
            state.status.filesDone -= 1
            state.status.bytesFound = state.status.bytesFound.adding(-bytes)
            state.status.bytesDone = state.status.bytesDone.adding(-bytes)
            show(state)
        }
    }

    /// A folder has come together with files.
    ///
    /// - Parameters:
    ///   - folder: The action that made it.
    ///   - files: The actions that copied them.
    ///   - losses: Of how many of them what was lost.
    ///   - item: The item that had begun, which may have been meant to be more.
    func came(
        _ folder: TransferAction,
        with files: some Sequence<TransferAction>,
        _ losses: [TransferReport.Loss: Int],
        _ item: Item
    ) {
        account.state.withLock { state in
            state.report.counts[folder.kind, default: 0] += 1
            var count = 0
            for file in files {
                state.report.counts[file.kind, default: 0] += 1
                count += 1
            }
            state.report.losses.merge(losses, uniquingKeysWith: +)
            guard let running = state.running.removeValue(forKey: item) else { return }
            state.status.filesFound += count - running.files
            state.status.filesDone += count - running.filesDone
            // The others will be found one by one.
            state.status.bytesFound = state.status.bytesFound.adding(running.done - running.expected)
            running.progress?.finish()
            show(state)
        }
        tell(.did(folder))
        for file in files { tell(.did(file)) }
    }

    /// So many files are the same already.
    ///
    /// - Parameters:
    ///   - count: Those that no action names.
    ///   - countBySize: Those of all files that are taken for the same by their sizes alone.
    func left(_ count: Int = 0, bySize countBySize: Int) {
        account.state.withLock { state in
            if count > 0 { state.report.counts[.skip, default: 0] += count }
            state.report.comparedBySize += countBySize
        }
    }

    /// Something could not be done.
    ///
    /// - Parameters:
    ///   - action: The action.
    ///   - error: Why.
    ///   - item: The item that had begun; `nil` if it did not come to that.
    func failed(_ action: TransferAction, _ error: any Error, _ item: Item? = nil) {
        account.state.withLock { state in
            state.report.failures.append(TransferReport.Failure(action: action, error: error))
            state.status.failures += 1
            guard let item, let running = state.running.removeValue(forKey: item) else { return }
            // Bytes that do not come are not waited for.
            state.status.bytesDone -= running.done
            state.status.bytesFound = state.status.bytesFound.adding(-running.expected)
            if action.movesContent { state.forgetFiles(of: running) }
            running.progress?.finish()
            show(state)
        }
        tell(.failed(action, error))
    }

    // MARK: Telling

    /// A progress of one item.
    ///
    /// The whole's doesn't know it: Foundation's sums up the fractions of children with denominators that grow until it
    /// traps on Linux, and goes through children without a lock when it is cancelled. So the whole's counts byte by byte.
    private func makeChild(for action: TransferAction) -> Progress {
        let child = Progress(totalUnitCount: action.bytes)
        child.kind = .file
        return child
    }

    /// Moves the whole's progress; `Progress` itself loses what two tasks add at the same time.
    ///
    /// Until it is over there is more to do than is done, be it by one byte: whoever has made the whole's progress a child
    /// of another would see Foundation take it for finished, count it again each time, and trap in its fractions.
    private func show(_ state: borrowing State) {
        guard let progress else { return }
        let (done, found) = (state.status.bytesDone, state.status.bytesFound)
        // Foundation divides by the total when it changes, and one that has been more can't be 0 again.
        let total = found > 0 || progress.totalUnitCount > 0 ? max(found, done.adding(1)) : 0
        if progress.completedUnitCount > done { progress.completedUnitCount = done }
        if progress.totalUnitCount != total { progress.totalUnitCount = total }
        if progress.completedUnitCount != done { progress.completedUnitCount = done }
    }

    private func tell(_ event: TransferEvent) {
        guard let events else { return }
        telling.withLock { _ in events(event) }
    }
}
