import Foundation
import NIOHTTP1
import Synchronization

extension GraphLab {
    /// Answers a question about a copy.
    ///
    /// - Throws: ``GraphRefusal``.
    func monitor(_ request: LabRequest, id: String) throws -> LabResponse {
        guard request.method == .GET || request.method == .HEAD else {
            throw GraphRefusal(405, "invalidRequest", "The method isn't allowed for this address.")
        }
        let settings = settings
        let found: GraphJob? = state.withLock { state in
            defer {
                state.jobs[id]?.polls -= 1
                state.jobs[id]?.hasBegun = true
            }
            return state.jobs[id]
        }
        guard let job = found else { throw GraphRefusal.notFound }
        guard job.polls <= 0 else {
            return LabResponse(
                202,
                json: [
                    "operation": "itemCopy", "percentageComplete": .number(job.hasBegun ? 50 : 0),
                    "status": job.hasBegun ? "inProgress" : "notStarted",
                ]
            )
        }
        switch job.result {
        case .completed(let resourceID, let url):
            var response = LabResponse(
                settings.monitorsRedirect ? 303 : 200,
                json: [
                    "operation": "itemCopy", "percentageComplete": .number(100), "resourceId": .string(resourceID),
                    "status": "completed",
                ]
            )
            if settings.monitorsRedirect { response.headers.add(name: "Location", value: url) }
            return response
        case .failed(let refusal):
            var response = LabResponse(
                200,
                json: [
                    "operation": "itemCopy", "percentageComplete": .number(0), "status": "failed",
                    "error": ["code": .string(refusal.code), "message": .string(refusal.message)],
                ]
            )
            response.refusal = refusal.code
            return response
        }
    }
}

/// A copy that a client asks about until it is done.
struct GraphJob: Sendable {
    enum Result: Sendable {
        case completed(resourceID: String, url: String)
        case failed(GraphRefusal)
    }

    /// The number of times that it still says it is in progress.
    var polls: Int
    /// A Boolean value that indicates whether a client has asked already.
    var hasBegun = false
    let result: Result
}
