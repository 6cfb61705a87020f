import FerryCore
public import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// Waits on this machine for the browser to come back from a login (RFC 8252 §7.3).
///
/// It listens on a free port of 127.0.0.1, takes one answer with the right state, and shows a small page.
public final class OAuth2LoopbackReceiver: Sendable {
    private static let path = "/ferry"

    /// The URL to which the browser is to be sent.
    public let redirectURL: URL

    private let channel: any Channel
    private let clock: any Clock<Duration>
    private let arrivals: AsyncStream<[String: String]>
    private let expectedState: Mutex<String?>.Shared

    private init(
        channel: any Channel,
        redirectURL: URL,
        clock: any Clock<Duration>,
        arrivals: AsyncStream<[String: String]>,
        expectedState: Mutex<String?>.Shared
    ) {
        self.channel = channel
        self.redirectURL = redirectURL
        self.clock = clock
        self.arrivals = arrivals
        self.expectedState = expectedState
    }

    /// Starts to listen.
    ///
    /// - Returns: A receiver for one login.
    /// - Throws: The error that keeps it from listening.
    public static func start() async throws -> OAuth2LoopbackReceiver {
        try await start(clock: ContinuousClock())
    }

    /// Starts to listen, with somebody else's time.
    ///
    /// - Parameters:
    ///   - clock: The clock to wait on.
    ///   - port: The port of 127.0.0.1; `nil` for a free one.
    ///   - host: The name of this machine in the URL.
    /// - Returns: A receiver for one login.
    /// - Throws: The error that keeps it from listening.
    package static func start(
        clock: any Clock<Duration>,
        port: UInt16? = nil,
        host: String = "127.0.0.1"
    ) async throws -> OAuth2LoopbackReceiver {
        let (arrivals, continuation) = AsyncStream<[String: String]>.makeStream(bufferingPolicy: .bufferingOldest(1))
        let expectedState = Mutex<String?>.Shared(nil)
        let bootstrap = ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline(withErrorHandling: true)
                    try channel.pipeline.syncOperations.addHandler(
                        OAuth2LoopbackHandler(path: path, expectedState: expectedState) { continuation.yield($0) }
                    )
                }
            }
        let channel: any Channel
        do {
            channel = try await bootstrap.bind(host: "127.0.0.1", port: Int(port ?? 0)).get()
        } catch let error as IOError {
            throw URLError.answer(
                .cannotConnectToHost,
                description: "port \(port ?? 0) of this machine can't be listened on",
                suggestion: "end the program that uses it, or choose another port",
                underlying: error
            )
        }
        guard let port = channel.localAddress?.port, let url = redirectURL(port: port, host: host) else {
            try await channel.close()
            throw URLError.answer(.cannotConnectToHost, description: "no port to listen on")
        }
        return OAuth2LoopbackReceiver(
            channel: channel,
            redirectURL: url,
            clock: clock,
            arrivals: arrivals,
            expectedState: expectedState
        )
    }

    /// Returns the URL to which a browser is sent back.
    ///
    /// - Parameters:
    ///   - port: The port of 127.0.0.1.
    ///   - host: The name of this machine in the URL.
    /// - Returns: The URL.
    static func redirectURL(port: Int, host: String) -> URL? { URL(string: "http://\(host):\(port)\(path)") }

    /// Says which login the browser is to come back from; what comes with another state is refused.
    ///
    /// - Parameter login: The login that was begun.
    public func expect(_ login: OAuth2Login) {
        expectedState.value.withLock { $0 = login.state }
    }

    /// Waits for the browser.
    ///
    /// - Parameter timeLimit: How long to wait.
    /// - Returns: The code for ``OAuth2Client/token(for:code:)``.
    /// - Throws: `URLError.timedOut`; `.userAuthenticationRequired` when the person or the server has refused.
    public func code(timeLimit: Duration) async throws -> String {
        let answer = try await withThrowingTaskGroup(of: [String: String].self) { [arrivals, clock] group in
            group.addTask {
                for await answer in arrivals { return answer }
                throw CancellationError()
            }
            group.addTask {
                try await clock.sleep(for: timeLimit)
                throw URLError.answer(.timedOut, description: "nobody has logged in in time", suggestion: "begin again")
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw CancellationError() }
            return first
        }
        if let code = answer["code"], !code.isEmpty { return code }
        throw URLError.answer(
            .userAuthenticationRequired,
            description: "the login was refused",
            suggestion: "log in again, and allow it"
        )
    }

    /// Stops listening.
    public func stop() async {
        // It may be closed already; there is nothing more to do then.
        try? await channel.close()
    }

    deinit {
        channel.close(promise: nil)
    }
}

extension Mutex where Value: Sendable {
    /// A mutex that several parts share.
    final class Shared: Sendable {
        let value: Mutex<Value>

        init(_ value: Value) {
            self.value = Mutex(value)
        }
    }
}
