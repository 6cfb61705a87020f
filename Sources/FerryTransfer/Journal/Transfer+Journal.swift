import FerryCore
import Foundation
import Synchronization

extension Transfer {
    /// Runs as a job of a journal.
    ///
    /// - Parameters:
    ///   - journal: The journal; `nil` for none. One that can't be written is reported, and done without.
    ///   - memo: The text that the caller wants to find with the job.
    ///   - body: The run.
    /// - Returns: The run's report.
    /// - Throws: Any error that the run throws.
    func journaled(
        in journal: TransferJournal?,
        memo: String?,
        _ body: (JobJournal?) async throws -> TransferReport
    ) async throws -> TransferReport {
        guard let journal else { return try await body(nil) }
        let failure = Mutex<(any Error)?>(nil)
        var job: JobJournal?
        do {
            job = try await journal.begin(from: .init(source), to: .init(target), memo: memo) { error in
                failure.withLock { $0 = error }
            }
        } catch let error as CancellationError {
            throw error
        } catch {
            failure.withLock { $0 = error }
        }
        do {
            // An earlier run of this job may have been killed while it wrote; nobody else is at it now.
            let owner = job.flatMap { TemporaryOwner(work: $0.id) }
            try await removeBeginnings(of: job)
            var report = try await OperationContext.with(\.temporaryOwner, owner) { try await body(job) }
            // Entries that are still noted were begun for files that need no copy any more.
            let isOver = report.isComplete || job?.isLost == true || (report.wasRefused && job?.isBlank == true)
            let isClear = isOver ? await discardLeftovers(of: job) : false
            await job?.end(isComplete: isClear)
            report.journalFailure = failure.withLock { $0 }.map(RecordedError.init)
            return report
        } catch {
            // Of what was refused, no later run could go on with anything.
            let isRefused = (error as? CocoaError)?.isRefusal == true && job?.isBlank == true
            let isClear = isRefused ? await discardLeftovers(of: job) : false
            await job?.end(isComplete: isClear, wasInterrupted: error is CancellationError)
            throw error
        }
    }

    /// Removes what an earlier run has half written under its final name; what is complete, or another's, stays.
    private func removeBeginnings(of job: JobJournal?) async throws {
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
