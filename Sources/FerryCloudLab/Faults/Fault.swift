/// A misbehaviour that a lab shows on demand.
public enum Fault: Sendable, Hashable {
    /// The answer 429, with `Retry-After` in seconds or as an HTTP date; `nil` leaves the field out.
    case tooManyRequests(retryAfter: Duration?, asDate: Bool = false)
    /// The answer that there are too many writes at once, in the service's own form: 429 from Dropbox, 503 from Graph.
    case tooManyWrites(retryAfter: Duration?)
    /// An answer with a status of 500 or more, and `Retry-After` in seconds.
    case serverError(status: Int, retryAfter: Duration? = nil)
    /// The end of the connection after some bytes of the request's body, before anything is done.
    case cutRequest(afterBytes: Int)
    /// The end of the connection when the request has arrived, before anything is done.
    case cutBeforeCommit
    /// The end of the connection when everything is done, instead of the answer.
    case loseAnswer
    /// The end of the connection after some bytes of the answer's body.
    case truncateBody(afterBytes: Int)
    /// A pause before each 16 KiB of the answer's body, by the system's clock.
    case slowBody(pause: Duration)
    /// A pause before the request is handled, by the system's clock.
    case delay(Duration)
    /// The end of the access token's life: it is refused from now on.
    case expireToken
    /// The loss of the upload session that the request names.
    case expireSession
    /// The loss of the second half of the bytes that the request adds to an upload session, and the answer 500.
    case storeHalf
    /// The loss of the state behind a cursor or a change feed, which makes the client list again; nothing for other
    /// requests.
    case resetCursor
    /// A job that takes some polls, for a request that starts one.
    case slowJob(polls: Int)
    /// A job that fails, for a request that starts one.
    case failJob
    /// An answer that is sent as it is.
    case answer(status: Int, contentType: String, body: String)
}

extension Fault {
    /// The name under which the journal shows the fault.
    public var name: String {
        switch self {
        case .tooManyRequests: "tooManyRequests"
        case .tooManyWrites: "tooManyWrites"
        case .serverError(let status, _): "serverError \(status)"
        case .cutRequest: "cutRequest"
        case .cutBeforeCommit: "cutBeforeCommit"
        case .loseAnswer: "loseAnswer"
        case .truncateBody: "truncateBody"
        case .slowBody: "slowBody"
        case .delay: "delay"
        case .expireToken: "expireToken"
        case .expireSession: "expireSession"
        case .storeHalf: "storeHalf"
        case .resetCursor: "resetCursor"
        case .slowJob: "slowJob"
        case .failJob: "failJob"
        case .answer(let status, _, _): "answer \(status)"
        }
    }

    /// The faults that a client must get over by itself, which is what a seed chooses from unless told otherwise.
    public static let survivable: [Fault] = [
        .tooManyRequests(retryAfter: .zero), .serverError(status: 500), .serverError(status: 503, retryAfter: .zero),
        .cutRequest(afterBytes: 1000), .cutBeforeCommit, .loseAnswer, .truncateBody(afterBytes: 100), .expireToken,
        .resetCursor, .storeHalf,
    ]
}
