import FerryCore
import FerryHTTP
import FerryTestServers
import Foundation
import Synchronization
import Testing

@testable import FerryDropbox

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
