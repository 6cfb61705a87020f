import FerryCore
package import Foundation

/// Names for what is not complete yet.
package enum WebDAVTemporaryName {
    /// A name that nobody else has.
    ///
    /// - Parameters:
    ///   - hidden: `true` if it begins with a dot, which keeps it out of people's sight; where a server never shows
    ///     such names, what a killed process leaves behind would stay forever.
    ///   - id: The UUID that makes it one that nobody else has.
    /// - Returns: The name: ASCII letters, digits, dots and hyphens, 48 at most.
    package static func make(hidden: Bool, _ id: UUID = UUID()) -> String {
        "\(hidden ? "." : "")ferry-\(id.uuidString.lowercased()).tmp"
    }

    /// Returns whether a text is such a name, and leads nowhere else.
    ///
    /// - Parameter name: Any text.
    /// - Returns: `true` if ``make(hidden:)`` may have made it.
    package static func isOne(_ name: String) -> Bool {
        let rest = name.hasPrefix(".") ? name.dropFirst() : name[...]
        guard rest.hasPrefix("ferry-"), rest.hasSuffix(".tmp") else { return false }
        return UUID(uuidString: String(rest.dropFirst(6).dropLast(4))) != nil
    }

    /// A name that nobody else has, for a server.
    ///
    /// - Parameter traits: The behaviour of the server.
    /// - Returns: The name.
    package static func make(for traits: WebDAVTraits) -> String { make(hidden: !traits.hidesDotNames) }

    /// A name for a copy that nobody would miss: it says whose it is.
    ///
    /// - Parameter traits: The behaviour of the server.
    /// - Returns: The name.
    package static func makeForCopy(for traits: WebDAVTraits) -> String {
        make(hidden: !traits.hidesDotNames, TemporaryOwner.uuid())
    }
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
