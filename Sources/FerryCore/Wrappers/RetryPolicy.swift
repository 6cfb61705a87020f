import Foundation

/// The rules by which a call is repeated: how often, when, and after which errors.
public struct RetryPolicy: Sendable {
    /// Tries in all, the first included; at least 1.
    public var maximumAttempts: Int

    /// The wait before the second try, doubled for each further one.
    public var firstDelay: Duration

    /// The longest wait: where a server asks for a longer one, nothing is repeated, and the caller is told when.
    public var longestDelay: Duration

    /// Repetitions that all calls of one provider may use up together; `nil` for no limit.
    public var budget: Int?

    /// Indicates whether an error may pass by itself.
    public var isTransient: @Sendable (any Error) -> Bool

    /// The source of random numbers from 0 to 1 by which waits differ, so that many clients don't come back at once.
    package var random: @Sendable () -> Double = { .random(in: 0...1) }

    /// Makes a policy.
    ///
    /// - Parameters:
    ///   - maximumAttempts: Tries in all, the first included.
    ///   - firstDelay: The wait before the second try.
    ///   - longestDelay: The longest wait.
    ///   - budget: Repetitions that all calls of one provider may use up together.
    ///   - isTransient: Returns `true` if an error may pass by itself.
    public init(
        maximumAttempts: Int = 4,
        firstDelay: Duration = .milliseconds(200),
        longestDelay: Duration = .seconds(30),
        budget: Int? = 1_000,
        isTransient: @escaping @Sendable (any Error) -> Bool = RetryPolicy.isTransient
    ) {
        self.maximumAttempts = max(1, maximumAttempts)
        self.firstDelay = firstDelay
        self.longestDelay = longestDelay
        self.budget = budget
        self.isTransient = isTransient
    }

    /// Returns whether an error may pass by itself: a cut line, a connection that can't be made, HTTP's 408, 429, 500,
    /// 502, 503, 504, and its 423, since most locks are those that servers hold themselves for as long as another
    /// request lasts.
    ///
    /// - Parameter error: The error.
    /// - Returns: `false` for everything that the same call would meet again.
    public static func isTransient(_ error: any Error) -> Bool {
        switch error {
        case _ where error.isAnswerTimeOut: false
        case let error as URLError where error.code.meansUnreachable: true
        case is URLError: error.serverAnswer.map(isTransient) ?? false
        case let error as any FileProviderHTTPError: [408, 429, 500, 502, 503, 504].contains(error.statusCode)
        case is CocoaError: error.serverAnswer?.statusCode == 423
        default: false
        }
    }

    /// The wait that a server has asked for.
    ///
    /// - Parameter error: The error.
    /// - Returns: `nil` if it has asked for none.
    package static func hint(of error: any Error) -> Duration? {
        let answer: any Error = error.serverAnswer ?? error
        return (answer as? any RetryAfterError)?.retryAfter
    }

    /// Returns whether a server wants to be left alone for longer than this policy waits: asked sooner, it would only
    /// refuse.
    ///
    /// - Parameter error: The error.
    /// - Returns: `false` also where it has not said.
    package func isTooSoon(after error: any Error) -> Bool {
        Self.hint(of: error).map { $0 > longestDelay } ?? false
    }

    /// The wait before a try.
    ///
    /// - Parameters:
    ///   - attempt: The number of the try that failed, from 1.
    ///   - error: The error: a server may have said when to come back.
    ///   - jitter: A random number from 0 to 1, so that many clients don't come back at once.
    /// - Returns: From half of the doubled delay to all of it; never longer than ``longestDelay``.
    public func delay(afterAttempt attempt: Int, error: any Error, jitter: Double) -> Duration {
        if let hint = Self.hint(of: error) { return min(hint, longestDelay) }
        return delay(afterAttempt: attempt, jitter: jitter)
    }

    private func delay(afterAttempt attempt: Int, jitter: Double) -> Duration {
        let doubled = firstDelay * Double(1 << min(max(0, attempt - 1), 20))
        return min(doubled, longestDelay) * (0.5 + jitter / 2)
    }

    /// Returns the wait before a try where nobody has said when to come back.
    ///
    /// - Parameter attempt: The number of the try before, from 1.
    /// - Returns: From half of the doubled delay to all of it; never longer than ``longestDelay``.
    package func delay(afterAttempt attempt: Int) -> Duration {
        delay(afterAttempt: attempt, jitter: random())
    }

    /// Returns the wait before a try, with a number of the policy's own source of random numbers.
    ///
    /// - Parameters:
    ///   - attempt: The number of the try that failed, from 1.
    ///   - error: The error: a server may have said when to come back.
    /// - Returns: As ``delay(afterAttempt:error:jitter:)``.
    package func delay(afterAttempt attempt: Int, error: any Error) -> Duration {
        delay(afterAttempt: attempt, error: error, jitter: random())
    }
}

/// An error of a server that said when to come back (RFC 9110 §10.2.3).
public protocol RetryAfterError: Error {
    /// The wait that the server asks for; `nil` if it did not say.
    var retryAfter: Duration? { get }
}
