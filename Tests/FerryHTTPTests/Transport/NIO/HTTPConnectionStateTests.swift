import Testing

@testable import FerryHTTP

@Suite("The state of a connection")
struct HTTPConnectionStateTests {
    /// Holds what changes while it is looked at.
    private final class Connection {
        private(set) var state = HTTPConnectionState()

        func begin(hasBody: Bool, isHeld: Bool) { state.begin(hasBody: hasBody, isHeld: isHeld) }
        func release() -> Bool { state.release() }
        func requestSent() { state.requestSent() }
        func headReceived(status: Int) -> HTTPConnectionState.Rest { state.headReceived(status: status) }
        func closed(hasAnswer: Bool) -> HTTPConnectionState.Loss { state.closed(hasAnswer: hasAnswer) }

        func answerEnded(keepsConnection: Bool, hasUnwritten: Bool) -> HTTPConnectionState.Ending {
            state.answerEnded(keepsConnection: keepsConnection, hasUnwritten: hasUnwritten)
        }
    }

    private func begun(hasBody: Bool = false, isHeld: Bool = false, before: Int = 0) -> Connection {
        let connection = Connection()
        for _ in 0..<before {
            connection.begin(hasBody: false, isHeld: false)
            _ = connection.headReceived(status: 200)
            _ = connection.answerEnded(keepsConnection: true, hasUnwritten: false)
        }
        connection.begin(hasBody: hasBody, isHeld: isHeld)
        return connection
    }

    @Test("is free again when both have said all", arguments: [true, false])
    func reuse(hasBody: Bool) {
        let connection = begun(hasBody: hasBody)
        #expect(connection.state.isBusy)
        connection.requestSent()
        #expect(connection.headReceived(status: 200) == .goesOn)
        #expect(connection.answerEnded(keepsConnection: true, hasUnwritten: false) == .reuse)
        #expect(!connection.state.isBusy)
        #expect(connection.closed(hasAnswer: true) == .none)
    }

    @Test("ends after an answer that the server ends with, or that came before the question's end")
    func close() {
        let told = begun()
        #expect(told.answerEnded(keepsConnection: false, hasUnwritten: false) == .close)
        let unsent = begun(hasBody: true)
        #expect(unsent.headReceived(status: 201) == .goesOn)
        #expect(unsent.answerEnded(keepsConnection: true, hasUnwritten: false) == .close)
        let unwritten = begun()
        #expect(unwritten.answerEnded(keepsConnection: true, hasUnwritten: true) == .close)
    }

    @Test("stops a body that is refused, and goes on with one that is welcome")
    func refusal() {
        let connection = begun(hasBody: true)
        #expect(connection.headReceived(status: 413) == .stops)
        #expect(connection.state.isServersTurn(isReading: true, hasUnwritten: false))
        #expect(connection.answerEnded(keepsConnection: true, hasUnwritten: false) == .close)
        let sent = begun(hasBody: true)
        sent.requestSent()
        #expect(sent.headReceived(status: 413) == .goesOn)
        #expect(sent.answerEnded(keepsConnection: true, hasUnwritten: false) == .reuse)
    }

    @Test("holds a body back until the server wants it")
    func held() {
        let asked = begun(hasBody: true, isHeld: true)
        #expect(asked.release())
        #expect(!asked.release())
        #expect(asked.headReceived(status: 200) == .goesOn)
        let early = begun(hasBody: true, isHeld: true)
        #expect(early.headReceived(status: 200) == .starts)
        #expect(!early.release())
        let refused = begun(hasBody: true, isHeld: true)
        #expect(refused.headReceived(status: 401) == .stops)
        #expect(!refused.release())
        let plain = begun(hasBody: true)
        #expect(!plain.release())
    }

    @Test("tells a connection that was closed before it was used again from one that was cut", arguments: [0, 1, 5])
    func loss(before: Int) {
        let unanswered = begun(before: before)
        #expect(unanswered.closed(hasAnswer: false) == (before > 0 ? .stale : .lost))
        let cut = begun(before: before)
        #expect(cut.closed(hasAnswer: true) == .lost)
        #expect(cut.closed(hasAnswer: true) == .none)
    }

    @Test("counts the server's time only")
    func turns() {
        let connection = Connection()
        #expect(!connection.state.isServersTurn(isReading: true, hasUnwritten: true))
        connection.begin(hasBody: true, isHeld: false)
        #expect(!connection.state.isServersTurn(isReading: true, hasUnwritten: false))
        #expect(connection.state.isServersTurn(isReading: true, hasUnwritten: true))
        connection.requestSent()
        #expect(connection.state.isServersTurn(isReading: true, hasUnwritten: false))
        #expect(!connection.state.isServersTurn(isReading: false, hasUnwritten: false))
    }
}
