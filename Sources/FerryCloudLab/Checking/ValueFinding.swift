/// A difference between a value and its description.
struct ValueFinding: Sendable, Equatable {
    /// The place of the value.
    var path: String
    /// The difference, as a sentence.
    var sentence: String
    /// A Boolean value that indicates whether the service itself is known to differ there.
    var isErratum = false
}
