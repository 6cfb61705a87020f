import FerryCore
public import Foundation

/// An error as it can be kept: without what only the running program knows.
public struct RecordedError: LocalizedError, Sendable, Hashable, Codable {
    /// The error's domain, as `NSError` has it.
    public var domain: String

    /// The code, as `NSError` has it.
    public var code: Int

    /// The error, for people.
    public var description: String

    /// A suggestion for a person.
    public var suggestion: String?

    /// Records an error.
    ///
    /// - Parameter error: Any error.
    public init(_ error: any Error) {
        if let recorded = error as? RecordedError {
            self = recorded
            return
        }
        let known = error as NSError
        domain = known.domain
        code = known.code
        description = error.reasonInWords
        suggestion = known.localizedRecoverySuggestion ?? (error as? any LocalizedError)?.recoverySuggestion
    }

    /// The description.
    public var errorDescription: String? { description }

    /// A suggestion.
    public var recoverySuggestion: String? { suggestion }
}
