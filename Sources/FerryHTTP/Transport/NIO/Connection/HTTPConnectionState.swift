/// The state of a connection, and the consequences of what happens to it; does nothing itself.
struct HTTPConnectionState {
    /// How much of a request has been given to the system.
    private enum Request {
        case none
        /// The head has left; the body waits for the server's word (RFC 9110 §10.1.1).
        case held
        case sending
        case sent
        /// The server doesn't want the rest.
        case stopped
    }

    private enum Answer {
        case none
        case awaited
        case begun
    }

    /// The action when an answer is complete.
    enum Ending: Equatable {
        /// The connection is free.
        case reuse
        /// The connection can't be used any more; if the request has a body, no more of it is wanted.
        case close
    }

    /// The fate of a request's body when the head of the answer has come.
    enum Rest: Equatable {
        /// It goes on, or has left.
        case goesOn
        /// It was held back, and is sent now.
        case starts
        /// No more of it is wanted.
        case stops
    }

    /// Why a connection that was closed has no answer.
    enum Loss: Equatable {
        /// Nobody waits for one.
        case none
        /// The request came to a connection that was used before, and got no byte: the server may not have seen it.
        case stale
        /// The answer is missing, or a part of it.
        case lost
    }

    private var request = Request.none
    private var answer = Answer.none
    private var exchangeCount = 0

    /// Indicates whether a request is under way.
    var isBusy: Bool { answer != .none }

    /// A request begins.
    ///
    /// - Parameters:
    ///   - hasBody: `true` if a body is sent after it.
    ///   - isHeld: `true` if the body waits for the server's word.
    mutating func begin(hasBody: Bool, isHeld: Bool) {
        exchangeCount += 1
        answer = .awaited
        request = hasBody ? (isHeld ? .held : .sending) : .sent
    }

    /// The server wants the body, or has been silent about it for long enough.
    ///
    /// - Returns: `true` if it is to be sent now.
    mutating func release() -> Bool {
        guard isBusy, request == .held else { return false }
        request = .sending
        return true
    }

    /// All of the body has left.
    mutating func requestSent() {
        if isBusy { request = .sent }
    }

    /// The head of the answer has come.
    ///
    /// - Parameter status: Its status, at least 200.
    /// - Returns: The fate of the body: a success may be announced early, a refusal is final.
    mutating func headReceived(status: Int) -> Rest {
        answer = .begun
        guard status < 300 || request == .sent else {
            request = .stopped
            return .stops
        }
        return release() ? .starts : .goesOn
    }

    /// The answer is complete.
    ///
    /// - Parameters:
    ///   - keepsConnection: `true` if the server keeps the connection.
    ///   - hasUnwritten: `true` if bytes of ours wait that the system hasn't taken.
    /// - Returns: The action to take with the connection.
    mutating func answerEnded(keepsConnection: Bool, hasUnwritten: Bool) -> Ending {
        defer { (request, answer) = (.none, .none) }
        return keepsConnection && request == .sent && !hasUnwritten ? .reuse : .close
    }

    /// The connection is closed.
    ///
    /// - Parameter hasAnswer: `true` if any byte of an answer has come.
    /// - Returns: The meaning of this for the request.
    mutating func closed(hasAnswer: Bool) -> Loss {
        defer { (request, answer) = (.none, .none) }
        guard isBusy else { return .none }
        return exchangeCount > 1 && !hasAnswer ? .stale : .lost
    }

    /// Returns whether time passes that is the server's: it has the request, or doesn't take it.
    ///
    /// - Parameters:
    ///   - isReading: `true` if we want more of its answer.
    ///   - hasUnwritten: `true` if bytes of ours wait that the system hasn't taken.
    /// - Returns: `false` while we make a body, or read one, at our leisure.
    func isServersTurn(isReading: Bool, hasUnwritten: Bool) -> Bool {
        guard isBusy else { return false }
        return hasUnwritten || (isReading && (request == .sent || request == .stopped))
    }
}
