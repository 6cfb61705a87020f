/// The time and memory that one run of a contender took.
struct Sample: Sendable {
    /// Seconds, or whatever the contender's own number counts.
    var value: Double

    /// The most memory that the process held, in bytes.
    var peakMemory: Int64?

    /// Seconds of processor time, its own and the system's on its behalf.
    var processorTime: Double?

    /// The requests that the emulated services got.
    var requests: Int?

    /// The bytes of the bodies of requests and answers together, without heads.
    var bodyBytes: Int64?
}
