package import FerryCore
package import Foundation

/// Asks how a job stands that a service has begun.
///
/// A question that fails says nothing about the job, which may be done by now: its error must not look as if nothing
/// had been asked, as if the operation had been refused, or as if it could be repeated.
///
/// - Parameters:
///   - path: The item that the job is about.
///   - isolation: The actor of the caller.
///   - question: Asks the service.
/// - Returns: The value that `question` returns.
/// - Throws: `CancellationError`; `URLError.badServerResponse`, with the error of `question` in it.
package func askingAboutJob<Value>(
    _ path: ItemPath,
    isolation: isolated (any Actor)? = #isolation,
    _ question: () async throws -> Value
) async throws -> Value {
    do {
        return try await question()
    } catch let error as CancellationError {
        throw error
    } catch {
        let isForgotten = [404, 410].contains(error.serverAnswer?.statusCode)
        throw URLError.lostJob(
            isForgotten
                ? "the server no longer knows what has come of it"
                : "the server has begun, and does not say how it ended",
            about: path,
            error
        )
    }
}

extension URLError {
    /// Makes the error of work that a service has begun, and that may be done by now.
    ///
    /// - Parameters:
    ///   - description: The situation, in words.
    ///   - path: The item that it is about; `nil` if there are several.
    ///   - cause: The error of the question how it stands.
    /// - Returns: The error; it leaves doubt, and is not transient.
    package static func lostJob(_ description: String, about path: ItemPath? = nil, _ cause: any Error) -> URLError {
        .answer(
            .badServerResponse,
            about: path,
            description: description,
            suggestion: "look what has come of it",
            underlying: cause
        )
    }
}
