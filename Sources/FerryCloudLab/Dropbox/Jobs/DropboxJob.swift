import Foundation
import Synchronization

/// Work that a client asks about until it is done.
struct DropboxJob: Sendable {
    /// The route that started it, which is the only one whose check knows it.
    let kind: String
    let account: DropboxAccount
    /// The number of times that it still says it is in progress.
    var polls: Int
    /// The fields of its end, with the tag `complete` or `failed`.
    let result: JSONValue
}

extension DropboxCall {
    /// Does work, and answers with its result or with a job that holds it.
    ///
    /// - Parameters:
    ///   - failure: The tag with which such a job fails as a whole; `nil` if the description knows none.
    ///   - isAsync: A Boolean value that indicates whether a job is asked for.
    ///   - work: The work; returns the fields of the result, or a failure with its tag.
    /// - Returns: The answer.
    func launch(failure: DropboxTag?, isAsync: Bool = false, _ work: () -> JSONValue) -> DropboxResult {
        var result: JSONValue
        if fault == .failJob, let failure {
            result = [".tag": "failed", "failed": failure.json]
        } else {
            result = work()
            if result[".tag"] == nil {
                let members = result.object?.members ?? []
                result = .object(JSONObject([(".tag", "complete")] + members.map { ($0.name, $0.value) }))
            }
        }
        // Only a job can fail as a whole: the answer of the operation itself has no tag for that.
        let isFailed = result[".tag"] == "failed"
        var polls = settings.jobPolls ?? (isAsync || isFailed || fault == .failJob ? 0 : nil)
        if case .slowJob(let count)? = fault { polls = count }
        guard let polls else { return .json(result) }
        let id = "dbjid:" + lab.makeText(length: 40)
        let kind = lab.route(method: request.method, endpoint: request.endpoint, path: request.path)
        let job = DropboxJob(kind: kind, account: account, polls: polls, result: result)
        lab.state.withLock { $0.jobs[id] = job }
        return .json([".tag": "async_job_id", "async_job_id": .string(id)])
    }

    /// Answers a question about a job.
    ///
    /// - Parameter kind: The route that starts such jobs.
    /// - Returns: The answer.
    /// - Throws: The tag `invalid_async_job_id`.
    func check(_ kind: String) throws -> DropboxResult {
        let id = text("async_job_id")
        return try lab.state.withLock { state in
            guard let job = state.jobs[id], job.kind == kind, job.account === account else {
                throw DropboxTag("invalid_async_job_id")
            }
            guard job.polls > 0 else { return .json(job.result) }
            state.jobs[id]?.polls -= 1
            return .json([".tag": "in_progress"])
        }
    }
}
