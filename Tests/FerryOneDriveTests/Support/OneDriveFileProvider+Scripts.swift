import FerryCore
import FerryHTTP
import FerryTestServers
import Foundation

@testable import FerryOneDrive

extension OneDriveFileProvider {
    /// A provider that talks to a script, and whose time passes when it waits.
    static func scripted(
        options: OneDriveOptions = OneDriveOptions(),
        clock: InstantClock = InstantClock(),
        _ script: @escaping ScriptedTransport.Script
    ) throws -> (provider: OneDriveFileProvider, transport: ScriptedTransport) {
        let transport = ScriptedTransport(script)
        let start = clock.now
        let provider = try OneDriveFileProvider(
            options: options,
            credential: FileProviderCredential(user: nil, secret: .token("secret")),
            authenticator: BearerAuthenticator(token: "secret"),
            transport: transport,
            environment: FileProviderEnvironment(),
            clock: clock,
            now: { Date(timeIntervalSince1970: 1_800_000_000 + (clock.now - start) / .seconds(1)) }
        )
        return (provider, transport)
    }
}
