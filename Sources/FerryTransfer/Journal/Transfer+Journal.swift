import FerryCore
import Foundation
import Synchronization

extension Transfer {
    /// Keeps the error because of which a journal can't be written.
    final class JournalFailure: Sendable {
        private let error = Mutex<(any Error)?>(nil)

        /// The error; `nil` as long as there is none.
        var recorded: RecordedError? { error.withLock { $0 }.map(RecordedError.init) }

        func note(_ error: any Error) { self.error.withLock { $0 = error } }
    }

    /// Begins a job of a journal, or takes over the one that an earlier run has left.
    ///
    /// - Parameters:
    ///   - journal: The journal; `nil` for none.
    ///   - memo: The text that the caller wants to find with the job.
    ///   - failure: The place to note why the journal can't be written.
    /// - Returns: The job; `nil` without a journal, and where it can't be written: then the run does without.
    /// - Throws: `CancellationError`.
    func beginJob(
        in journal: TransferJournal?,
        memo: String?,
        _ failure: JournalFailure
    ) async throws -> JobJournal? {
        do {
            return try await journal?.begin(
                from: .init(source),
                to: .init(target),
                memo: memo,
                trouble: failure.note
            )
        } catch let error as CancellationError {
            throw error
        } catch {
            failure.note(error)
            return nil
        }
    }

    /// Ends a job whose run has come to its end.
    func endJob(_ job: JobJournal?, with report: TransferReport) async {
        // Entries that are still noted were begun for files that need no copy any more.
        let isOver = report.isComplete || job?.isLost == true || (report.wasRefused && job?.isBlank == true)
        let isClear = isOver ? await discardLeftovers(of: job) : false
        await job?.end(isComplete: isClear)
    }

    /// Ends a job whose run an error has ended.
    func endJob(_ job: JobJournal?, after error: any Error) async {
        // Of what was refused, no later run could go on with anything.
        let isRefused = (error as? CocoaError)?.isRefusal == true && job?.isBlank == true
        let isClear = isRefused ? await discardLeftovers(of: job) : false
        await job?.end(isComplete: isClear, wasInterrupted: error is CancellationError)
    }

    /// Removes what an earlier run has half written under its final name; what is complete, or another's, stays.
    func removeBeginnings(of job: JobJournal?) async throws {
        guard let job, job.isResumed else { return }
        for entry in await job.entriesInPlace() {
            let place = entry.copy.write.path
            do {
                guard let relative = place.relative(to: target.top) else { continue }
                let found = try await target.storage.attributesOfItem(path: place)
                let original = try await source.storage.attributesOfItem(path: source.path(relative))
                if try await target.isBeginning(found, of: original, at: source) {
                    // Nobody wants it back.
                    try await target.storage.withoutRecording.removeItem(path: place)
                }
            } catch let error as CancellationError {
                throw error
            } catch let error as CocoaError where error.code == .fileNoSuchFile {
                // Nothing of it is there, or nothing tells what it was to be.
            } catch {
                continue  // it stays noted, for the next run
            }
            job.forget(entry.id)
        }
    }

    /// Returns whether nothing is left half done at the target.
    private func discardLeftovers(of job: JobJournal?) async -> Bool {
        guard let job else { return true }
        let storage = target.storage as? any FileProviderPartialWriting
        for write in await job.leftovers() {
            do {
                try await storage?.discardPartialWrite(write)
            } catch {
                // It stays in the journal, where it can be forgotten later.
                return false
            }
        }
        return true
    }
}

extension TransferReport {
    /// Indicates whether nothing was done, since all that was to be done was refused.
    fileprivate var wasRefused: Bool {
        !failures.isEmpty
            && failures.allSatisfy { $0.action.kind == .refuse || ($0.error as? CocoaError)?.isRefusal == true }
            && counts.allSatisfy { $0.value == 0 || $0.key == .skip || $0.key == .refuse }
    }
}

extension CocoaError {
    /// Indicates whether something is said to be impossible as things are, and not to have failed.
    fileprivate var isRefusal: Bool {
        switch code {
        case .fileWriteFileExists, .fileNoSuchFile, .fileReadNoSuchFile, .fileWriteInvalidFileName,
            .fileReadInvalidFileName, .featureUnsupported:
            true
        default: false
        }
    }
}
