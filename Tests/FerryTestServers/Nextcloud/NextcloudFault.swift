/// Something that goes wrong at the stand-in, for the next requests that it is meant for.
public struct NextcloudFault: Sendable {
    /// The effect of a fault.
    public enum Effect: Sendable {
        /// The server answers this status, and does nothing; with the words of an exception.
        case answer(Int, exception: String = "OCP\\Lock\\LockedException", message: String = "is locked")
        /// The line is cut when so many bytes of the body have come.
        case cutsRequest(afterBytes: Int)
        /// The server does what it is asked, but its answer never comes.
        case losesAnswer
        /// The server does what it is asked, and says by this status that it could not.
        case regrets(Int)
        /// The server stores another byte than came, the first of the body.
        case spoilsContent
    }

    /// The method of the requests; `nil` for any.
    public var method: String?
    /// The text that the request's path must contain, decoded; empty for any.
    public var path: String
    /// How many requests it is for.
    public var times: Int
    /// How many matching requests pass before.
    public var skipping: Int
    /// The effect.
    public var effect: Effect

    /// Makes a fault.
    ///
    /// - Parameters:
    ///   - effect: The effect.
    ///   - method: The method of the requests; `nil` for any.
    ///   - path: The text that the request's path must contain.
    ///   - times: How many requests it is for.
    ///   - skipping: How many matching requests pass before.
    public init(_ effect: Effect, method: String? = nil, path: String = "", times: Int = 1, skipping: Int = 0) {
        self.effect = effect
        self.method = method
        self.path = path
        self.times = times
        self.skipping = skipping
    }
}
