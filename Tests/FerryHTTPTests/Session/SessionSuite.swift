import FerryCore
import FerryTestServers
import Foundation
import Logging
import NIOCore
import Synchronization

@testable import FerryHTTP

/// Tests of sessions that wait for nothing.
protocol SessionSuite {
    var clock: InstantClock { get }
}

extension SessionSuite {
    /// A session whose waits are over at once.
    func session(
        _ transport: ScriptedTransport,
        authenticator: (any HTTPAuthenticator)? = nil,
        policy: RetryPolicy = RetryPolicy(),
        now: Date = Date(timeIntervalSince1970: 784_111_777)
    ) -> HTTPSession {
        var policy = policy
        policy.random = { 1 }
        return HTTPSession(
            transport: transport,
            origins: .home,
            authenticator: authenticator,
            retryPolicy: policy,
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }),
            clock: clock,
            now: { now }
        )
    }

    /// A body that can be sent once.
    func once(_ text: String) -> HTTPRequestBody {
        let rest = Mutex<ByteBuffer?>.Box(ByteBuffer(string: text))
        return HTTPRequestBody(length: Int64(text.utf8.count), isReplayable: false) {
            { rest.mutex.withLock { $0.take() } }
        }
    }
}

extension Set<HTTPOrigin> {
    /// The origins of the requests that tests make.
    static var home: Self {
        Set(["http", "https"].compactMap { URL(string: "\($0)://home.example/").flatMap { HTTPOrigin($0) } })
    }
}
