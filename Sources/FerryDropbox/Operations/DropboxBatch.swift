import FerryCore
import FerryHTTP
import Foundation

/// Several removals or moves that Dropbox does as one job.
struct DropboxBatch: Sendable {
    /// The outcome for one of the items.
    enum Outcome: Sendable {
        /// It was done; this is the answer's entry.
        case done(JSONValue)
        /// It was refused.
        case refused(DropboxError)
        /// Dropbox has tried it, and does not know whether it was done.
        case failed(any Error)
        /// It may have been done, or may be done later.
        case unknown(any Error)
    }

    /// An error after Dropbox has begun the work.
    private struct LateError: Error {
        let reason: any Error
    }

    /// The number of items that a request has at most.
    ///
    /// See `DeleteBatchArg` and `RelocationBatchArgBase` in Dropbox's description of the API.
    static let limit = 1_000

    let provider: DropboxFileProvider
    /// The route that begins a job.
    let route: DropboxRoute
    /// The route that tells how it stands.
    let check: DropboxRoute

    /// Has items removed or moved, those again for which Dropbox was too busy.
    ///
    /// - Parameters:
    ///   - entries: The items, as the route takes them, ``limit`` at most.
    ///   - paths: Their paths, for errors.
    /// - Returns: The outcome of each item; `nil` where Dropbox does not understand one of the entries, and so has done
    ///   nothing.
    /// - Throws: The error for which nothing was done; `CancellationError`, after which the job may go on.
    func outcomes(of entries: [JSONValue], about paths: [ItemPath]) async throws -> [Outcome]? {
        var outcomes = [Outcome](repeating: .unknown(CancellationError()), count: entries.count)
        var left = Array(entries.indices)
        var attempt = 1
        while !left.isEmpty {
            let answers: [JSONValue]
            do {
                answers = try await self.answers(to: left.map { entries[$0] })
            } catch let error as CancellationError {
                throw error
            } catch {
                let late = error as? LateError
                let error = late?.reason ?? error
                let failure = (error as? DropboxError)?.mapped(whileWriting: true) ?? error
                guard attempt > 1 || late != nil || Self.leavesDoubt(error) else {
                    if (error as? DropboxError)?.answeredStatusCode == 400 { return nil }
                    throw failure
                }
                // A job that has failed since others write at the same time has ended.
                let hasEnded = late != nil && (error as? DropboxError)?.tags.last == "too_many_write_operations"
                for index in left { outcomes[index] = hasEnded ? .failed(failure) : .unknown(failure) }
                return outcomes
            }
            for (index, answer) in zip(left, answers) { outcomes[index] = Self.outcome(answer, about: paths[index]) }
            let busy = left.filter { outcomes[$0].isBusy }
            guard let first = busy.first, case .refused(let error) = outcomes[first],
                attempt < DropboxConnection.busyAttempts, !provider.retryPolicy.isTooSoon(after: error)
            else { break }
            OperationContext.current.overloadListener?.heard()
            try await provider.retryPolicy.wait(after: error, attempt: attempt, clock: provider.connection.clock)
            left = busy
            attempt += 1
        }
        return outcomes
    }

    private func answers(to entries: [JSONValue]) async throws -> [JSONValue] {
        let state = try await provider.connection.patiently {
            try await provider.connection.call(
                route,
                ["entries": .list(entries)],
                about: .root,
                isIdempotent: false
            )
        }
        do {
            let answer = try await provider.end(of: state, check: check, about: .root)
            guard case .list(let answers) = answer["entries"], answers.count == entries.count else {
                throw URLError.answer(.cannotParseResponse, description: "Dropbox answers about other items")
            }
            return answers
        } catch let error as CancellationError {
            throw error
        } catch {
            throw LateError(reason: error)
        }
    }

    private static func outcome(_ answer: JSONValue, about path: ItemPath) -> Outcome {
        guard answer.tag != "success" else { return .done(answer) }
        let failure = answer["failure"]
        let details = failure.tag == "relocation_error" ? failure["relocation_error"] : failure
        let error = DropboxError(path: path, details: details)
        // "You'll need to verify that the action you were taking succeeded, and if not, try again."
        return error.reason == .failed ? .failed(error.mapped(whileWriting: true)) : .refused(error)
    }

    /// Returns whether the work may have begun in spite of an error.
    private static func leavesDoubt(_ error: any Error) -> Bool {
        if let refusal = error as? DropboxError {
            // The routes themselves refuse nothing with status 409.
            return refusal.mayHaveBeenDone || (refusal.answeredStatusCode == 409 && refusal.reason != .busy)
        }
        return (error as? URLError).map { !$0.code.meansNothingWasAsked } ?? true
    }
}

extension DropboxBatch.Outcome {
    /// A Boolean value that indicates whether Dropbox has done nothing since it is busy.
    fileprivate var isBusy: Bool {
        guard case .refused(let error) = self else { return false }
        return error.reason == .busy
    }
}
