import FerryCore
import FerryHTTP
import Foundation

extension DropboxFileProvider {
    /// The longest pause between two questions about a job.
    private static let longestPause = Duration.seconds(5)

    /// Begins what Dropbox may do at once or as a job, and waits for its end.
    ///
    /// - Parameters:
    ///   - route: The route that begins it.
    ///   - argument: Its argument.
    ///   - check: The route that tells how the job stands.
    ///   - path: The item that it is about.
    /// - Returns: The result of the job.
    /// - Throws: ``DropboxError`` when the job fails; `URLError.badServerResponse` when Dropbox does not say how it
    ///   stands, and `CancellationError`: after both the job may go on.
    func job(
        _ route: DropboxRoute,
        _ argument: JSONValue,
        check: DropboxRoute,
        about path: ItemPath
    ) async throws -> JSONValue {
        try await connection.patiently { try await jobOnce(route, argument, check: check, about: path) }
    }

    /// Does the same, and repeats nothing when Dropbox is busy: for work that is repeated as a whole.
    ///
    /// - Parameters:
    ///   - route: The route that begins it.
    ///   - argument: Its argument.
    ///   - check: The route that tells how the job stands.
    ///   - path: The item that it is about.
    /// - Returns: The result of the job.
    /// - Throws: As ``job(_:_:check:about:)``.
    func jobOnce(
        _ route: DropboxRoute,
        _ argument: JSONValue,
        check: DropboxRoute,
        about path: ItemPath
    ) async throws -> JSONValue {
        let state = try await connection.call(route, argument, about: path, isIdempotent: false)
        return try await end(of: state, check: check, about: path)
    }

    /// Waits for the end of work that was begun.
    ///
    /// - Parameters:
    ///   - state: The answer to the request that has begun it.
    ///   - check: The route that tells how the job stands.
    ///   - path: The item that it is about.
    /// - Returns: The result.
    /// - Throws: As ``job(_:_:check:about:)``.
    func end(of state: JSONValue, check: DropboxRoute, about path: ItemPath) async throws -> JSONValue {
        var state = state
        let id = state["async_job_id"].string
        var pause = Duration.milliseconds(100)
        while true {
            switch state.tag {
            case "complete": return state["complete"] == .null ? state : state["complete"]
            case "failed": throw DropboxError(path: path, details: state["failed"])
            case "async_job_id", "in_progress":
                guard let id else { throw Self.unknownJob }
                if state.tag == "in_progress" {
                    try await connection.clock.sleep(for: pause)
                    pause = min(pause * 2, Self.longestPause)
                }
                state = try await askingAboutJob(path) {
                    try await connection.call(check, ["async_job_id": .text(id)], about: path)
                }
            default: throw Self.unknownJob
            }
        }
    }

    private static var unknownJob: URLError {
        .answer(.cannotParseResponse, description: "Dropbox does not say how the job stands")
    }
}
