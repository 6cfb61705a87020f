public import FerryCore
import Foundation
import HTTPTypes

extension HTTPFileProvider {
    /// Asks a service how a job stands, again and again, until it is over.
    ///
    /// Between two questions it waits as the session's policy says, ever longer, or as long as the service asks for
    /// (`Retry-After`). Whoever is cancelled stops asking; the job may go on.
    ///
    /// - Parameters:
    ///   - question: The request that asks for the job's state, as a rule a `GET`.
    ///   - path: The item that the job is about.
    ///   - timeout: The time to wait in all; a longer wait that the service asks for ends at once.
    ///   - result: Makes sense of a successful answer.
    ///     - Returns: `nil` while the job is under way.
    ///     - Throws: A `FileProviderHTTPError` if the job has failed.
    /// - Returns: The value that `result` returns.
    /// - Throws: Any error that `result` throws; `URLError.timedOut` for a job that takes longer, and
    ///   `.badServerResponse` when the service no longer knows it or can't be asked, with the reason inside: it may be
    ///   done in both cases.
    ///   `CancellationError`.
    public func result<Value>(
        of question: HTTPFileRequest,
        about path: ItemPath,
        timeout: Duration = .seconds(3_600),
        _ result: (_ answer: HTTPFileAnswer) throws -> Value?
    ) async throws -> Value {
        var waited = Duration.zero
        var attempt = 1
        while true {
            let answer = try await askingAboutJob(path) { try await self.answer(to: question, about: path) }
            if let value = try result(answer) { return value }
            let hint = answer.head.headerFields.retryAfter(now: transport.now()).flatMap { $0 > .zero ? $0 : nil }
            let delay = transport.delay(beforeAskingAgain: attempt, hint: hint)
            // A question takes its time, too: it ends also where nobody waits.
            waited += max(delay, .milliseconds(10))
            guard waited <= timeout else { throw URLError.longJob }
            try await transport.sleep(for: delay)
            attempt += 1
        }
    }
}

extension URLError {
    fileprivate static var longJob: URLError {
        .answer(
            .timedOut,
            description: "the server is not done with it, and may still do it",
            suggestion: "look later what has come of it"
        )
    }
}
