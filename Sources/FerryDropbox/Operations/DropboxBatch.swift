import FerryCore
import FerryHTTP
import Foundation

/// Several removals or moves that Dropbox does as one job.
struct DropboxBatch: Sendable {
    /// The outcome for one of the items.
    enum Outcome: Sendable {
        /// It was done; the answer's entry, or `nil` if it was seen to be done.
        case done(JSONValue?)
        /// It was refused.
        case refused(DropboxError)
        /// It may have been done, or may be done later.
        case unknown(any Error)
    }

    /// An error after Dropbox has begun the work.
    private struct LateError: Error {
        let reason: any Error

        /// The refusal that has ended the job if others write at the same time.
        var busy: DropboxError? {
            // A refused question about the job has another status.
            guard let refusal = reason as? DropboxError, refusal.tags.last == "too_many_write_operations",
                refusal.answeredStatusCode == 409
            else { return nil }
            return refusal
        }

        /// The error that callers see.
        var told: URLError {
            .lostJob(
                "Dropbox has begun, and does not say how it ended",
                (reason as? DropboxError)?.mapped(whileWriting: true) ?? reason
            )
        }
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

    /// Returns whether an item of the batch was removed or moved; throws an error if that can't be found out.
    let wasDone: @Sendable (_ index: Int) async throws -> Bool

    /// Has items removed or moved, those again for which Dropbox was too busy.
    ///
    /// Items of which Dropbox does not say what has become of them are looked at.
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
            var busy: [Int] = []
            var cause: (any Error)?
            do {
                let answers = try await self.answers(to: left.map { entries[$0] })
                for (index, answer) in zip(left, answers) {
                    outcomes[index] = Self.outcome(answer, about: paths[index])
                }
                _ = try await look(at: left.filter { outcomes[$0].isUnknown }, &outcomes)
                busy = left.filter { outcomes[$0].isBusy }
                if case .refused(let error)? = busy.first.map({ outcomes[$0] }) { cause = error }
            } catch let error as CancellationError {
                throw error
            } catch let error as LateError {
                for index in left { outcomes[index] = .unknown(error.told) }
                let rest = try await look(at: left, &outcomes)
                if let reason = error.busy {
                    for index in rest {
                        outcomes[index] = .refused(DropboxError(path: paths[index], details: reason.details))
                    }
                    (busy, cause) = (rest, reason)
                }
            } catch {
                let failure = (error as? DropboxError)?.mapped(whileWriting: true) ?? error
                let isInDoubt = Self.leavesDoubt(error)
                guard attempt > 1 || isInDoubt else {
                    if (error as? DropboxError)?.answeredStatusCode == 400 { return nil }
                    throw failure
                }
                // A refusal by itself says that nothing was done.
                let told = isInDoubt && !failure.leavesDoubt ? LateError(reason: error).told : failure
                for index in left { outcomes[index] = .unknown(told) }
                _ = try await look(at: left, &outcomes)
            }
            guard let cause, !busy.isEmpty, attempt < DropboxConnection.busyAttempts,
                !provider.retryPolicy.isTooSoon(after: cause)
            else { break }
            OperationContext.current.overloadListener?.heard()
            try await provider.retryPolicy.wait(after: cause, attempt: attempt, clock: provider.connection.clock)
            left = busy
            attempt += 1
        }
        return outcomes
    }

    /// Looks at items of which nobody has said what has become of them.
    ///
    /// - Returns: Those that were not done; all others are done, or stay unknown.
    private func look(at indices: [Int], _ outcomes: inout [Outcome]) async throws -> [Int] {
        var rest: [Int] = []
        for index in indices {
            do {
                if try await wasDone(index) { outcomes[index] = .done(nil) } else { rest.append(index) }
            } catch let error as CancellationError {
                throw error
            } catch let error as URLError where error.code != .cannotParseResponse {
                // The others would fail alike, each after all its tries.
                break
            } catch {
                continue  // It stays unknown.
            }
        }
        return rest
    }

    private func answers(to entries: [JSONValue]) async throws -> [JSONValue] {
        let state = try await provider.connection.call(
            route,
            ["entries": .list(entries)],
            about: .root,
            isIdempotent: false
        )
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
        // It may have been done. Not again: at its path can be another item by then.
        return error.reason == .failed ? .unknown(error.mapped(whileWriting: true)) : .refused(error)
    }

    /// Returns whether the work may have begun in spite of an error.
    private static func leavesDoubt(_ error: any Error) -> Bool {
        // The routes themselves refuse nothing with status 409.
        guard let refusal = error as? DropboxError, refusal.answeredStatusCode == 409 else { return error.leavesDoubt }
        return refusal.reason != .busy
    }
}

extension DropboxBatch.Outcome {
    /// A Boolean value that indicates whether nobody has said what has become of the item.
    fileprivate var isUnknown: Bool { if case .unknown = self { true } else { false } }

    /// A Boolean value that indicates whether Dropbox has done nothing since it is busy.
    fileprivate var isBusy: Bool {
        guard case .refused(let error) = self else { return false }
        return error.reason == .busy
    }
}
