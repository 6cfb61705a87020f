package import FerryCore
import Foundation

extension TemporaryName {
    /// A name that nobody else has, for a server.
    ///
    /// - Parameter traits: The behaviour of the server: where it never shows hidden names, what a killed process leaves
    ///   behind would stay forever.
    /// - Returns: The name.
    package static func make(for traits: WebDAVTraits) -> String { make(UUID(), isHidden: !traits.hidesDotNames) }

    /// A name for a copy that nobody would miss: it says whose it is.
    ///
    /// - Parameter traits: The behaviour of the server.
    /// - Returns: The name.
    package static func makeForCopy(for traits: WebDAVTraits) -> String { make(isHidden: !traits.hidesDotNames) }
}

/// Does something, and takes away what it leaves behind, even if the task was cancelled meanwhile.
///
/// - Parameters:
///   - body: The work.
///   - cleanUp: Takes away what is left, however `body` ended; its own failure is not reported.
/// - Returns: The value that `body` returns.
/// - Throws: Any error that `body` throws.
package func withCleanUp<Result: Sendable>(
    _ body: () async throws -> Result,
    cleaningUp cleanUp: @escaping @Sendable () async throws -> Void
) async throws -> Result {
    let result: Result
    do {
        result = try await body()
    } catch {
        await uncancelled { try? await cleanUp() }
        throw error
    }
    await uncancelled { try? await cleanUp() }
    return result
}

/// Does something, and takes away what it leaves behind if it fails, even if the task was cancelled meanwhile.
///
/// - Parameters:
///   - body: The work.
///   - cleanUp: Takes away what is left; its own failure is not reported.
/// - Returns: The value that `body` returns.
/// - Throws: Any error that `body` throws.
package func withCleanUpAfterFailure<Result: Sendable>(
    _ body: () async throws -> Result,
    cleaningUp cleanUp: @escaping @Sendable () async throws -> Void
) async throws -> Result {
    do {
        return try await body()
    } catch {
        await uncancelled { try? await cleanUp() }
        throw error
    }
}
