public import FerryCore
public import Foundation

/// The reason for which something is not undone, or not redone: then nothing was changed.
public struct UndoRefusal: LocalizedError, Sendable, Hashable {
    /// A reason why something can't be undone.
    public enum Reason: String, Sendable, Hashable, Codable {
        /// The item is no longer what the operation left.
        case changed
        /// The item is gone.
        case gone
        /// Something else has taken the place that the item would come back to.
        case occupied
        /// A folder holds what the operation did not put there.
        case notEmpty
        /// The kept old content had to make room, or was thrown away by somebody.
        case dropped
        /// Nothing could be kept of the old content.
        case notKept
        /// The kept content is no longer what it was.
        case damaged
    }

    /// The item.
    public let path: ItemPath

    /// The reason.
    public let reason: Reason

    /// The error that kept it from being kept, if there was one.
    public let underlying: String?

    /// Makes the error.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - reason: The obstacle.
    ///   - underlying: The error that kept it from being kept.
    public init(_ path: ItemPath, _ reason: Reason, underlying: String? = nil) {
        self.path = path
        self.reason = reason
        self.underlying = underlying
    }

    /// The sentence that says why which item is left as it is.
    public var errorDescription: String? { "“\(path)” is left as it is: \(failureReason ?? "")." }

    /// The reason in words, without the item.
    public var failureReason: String? {
        let words =
            switch reason {
            case .changed: "changed meanwhile"
            case .gone: "no longer there"
            case .occupied: "something else is there now"
            case .notEmpty: "holds something else by now"
            case .dropped: "what was kept of it is no longer there"
            case .notKept: "nothing was kept of it"
            case .damaged: "what was kept of it is damaged"
            }
        return words + (underlying.map { " (\($0))" } ?? "")
    }

    /// A suggestion.
    public var recoverySuggestion: String? { suggestion(isRedo: false, isBegun: false) }

    /// Returns a suggestion.
    ///
    /// - Parameters:
    ///   - isRedo: A Boolean value that indicates whether the operation was to be redone.
    ///   - isBegun: A Boolean value that indicates whether a part of it is undone, or redone, already.
    /// - Returns: Clauses without a full stop.
    package func suggestion(isRedo: Bool, isBegun: Bool) -> String {
        let (verb, done) = isRedo ? ("redo", "redone") : ("undo", "undone")
        let advice: String
        switch reason {
        case .changed, .notEmpty, .gone:
            advice = "look at it"
            if !isBegun { return "\(advice); nothing was \(done)" }
        case .occupied: advice = "move what is there away, then \(verb) again"
        case .dropped, .notKept, .damaged: advice = "it can't be \(done)"
        }
        return isBegun ? "\(advice); a part was \(done) before" : advice
    }
}
