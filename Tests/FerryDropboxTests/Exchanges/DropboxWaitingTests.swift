import FerryCore
import FerryHTTP
import Foundation
import Synchronization
import Testing

@testable import FerryDropbox

/// A clock on which a wait of one length never ends by itself, and all others end at once.
private final class StandingClock: Clock {
    typealias Instant = ContinuousClock.Instant

    private let endless: Duration
    private let start = ContinuousClock.now
    private let state = Mutex<(open: Int, waits: [(length: Duration, open: Int)])>((0, []))

    init(endless: Duration) { self.endless = endless }

    var now: Instant { start }
    var minimumResolution: Duration { .zero }

    /// The waits that have ended at once, each with the number of endless ones at that time.
    var waits: [(length: Duration, open: Int)] { state.withLock(\.waits) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let wait = deadline - start
        guard wait == endless else { return state.withLock { $0.waits.append((wait, $0.open)) } }
        state.withLock { $0.open += 1 }
        defer { state.withLock { $0.open -= 1 } }
        // Ends by cancellation only.
        try await Task.sleep(for: .seconds(86_400))
    }
}

@Suite("Waiting for changes at Dropbox")
struct DropboxWaitingTests {
    @Test("a change counts although Dropbox asks for a pause that is longer than the time to wait")
    func pause() async throws {
        let clock = StandingClock(endless: .seconds(30))
        let transport = ScriptedTransport { _, _ in .json(#"{"changes":true,"backoff":60}"#) }
        let provider = try DropboxFileProvider(
            options: DropboxOptions(),
            credential: FileProviderCredential(user: nil, secret: .token("secret")),
            authenticator: BearerAuthenticator(token: "secret"),
            transport: transport,
            environment: FileProviderEnvironment(),
            clock: clock
        )
        #expect(try await provider.waitForChanges(since: ChangeAnchor(token: "c"), timeout: .seconds(30)))
        #expect(transport.sent.map(\.route) == ["files/list_folder/longpoll"])
        // The pause comes when the time to wait doesn't count any more.
        #expect(clock.waits.map(\.length) == [Duration.seconds(60)] && clock.waits.map(\.open) == [0])
    }
}
