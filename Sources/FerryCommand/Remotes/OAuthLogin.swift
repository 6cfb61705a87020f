import FerryCore
import FerryHTTP
import Foundation

/// A login at an authorization server, in a browser here or on another device, after which its tokens are stored.
struct OAuthLogin {
    /// A place where the person logs in.
    enum Way {
        /// The browser of this machine, which brings back the answer.
        case browser
        /// Another device, on which a short code is typed.
        case device
        /// A browser anywhere, of which the person pastes the answer.
        case pasting
    }

    /// The remote.
    let remote: Remote

    /// Where to say what to open.
    let session: Session

    /// The place where the person logs in.
    let way: Way

    /// Waits until the person has logged in.
    ///
    /// - Throws: `URLError.userAuthenticationRequired` when it was refused, `.timedOut`, `.unsupportedURL` for a login that
    ///   the server has not; errors of the connection and the store; `CancellationError`.
    func run() async throws {
        let configuration = remote.configuration
        let secrets = session.storages.secrets.own(remote)
        guard let oauth = configuration.oauth2 else { throw CocoaError(.featureUnsupported) }
        let transport = try HTTPOptions(configuration.throughProxies.options).makeTransport()
        do {
            let client = try await oauth.client(
                for: configuration,
                credentials: secrets,
                transport: transport,
                logger: session.storages.providerEnvironment.logger
            )
            guard let client else { throw CocoaError(.featureUnsupported) }
            let token = try await naming(client.configuration, oauth) { try await self.token(from: client) }
            await transport.shutdown()
            let credential = FileProviderCredential(user: configuration.user, secret: .oauth(token))
            try await secrets.setCredential(credential, for: configuration.account)
            // Nobody knows whether it is the same person as before.
            if configuration.user == nil { await session.storages.forgetAll(of: remote) }
        } catch {
            await transport.shutdown()
            throw error
        }
        session.console.tell(TerminalText.oneLine("\(remote.name): logged in"))
    }

    /// Does the login; the error of a server that can't be reached, or is busy, names the host.
    private func naming<Value>(
        _ configuration: OAuth2Configuration,
        _ login: StorageOAuth2,
        _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch let error as URLError where error.code == .unsupportedURL && way == .device {
            throw CocoaError.location(remote.name, error.reasonInWords, "log in without --device, or with --no-browser")
        } catch let error as URLError where RetryPolicy.isTransient(error) {
            // A login on another device begins there; the others ask for the tokens first.
            let beginning = way == .device ? configuration.deviceAuthorizationURL : nil
            let (name, url) = beginning.map { ("device-url", $0) } ?? ("token-url", configuration.tokenURL)
            let host = url.host() ?? url.absoluteString
            // A server that has answered is at the right address.
            let advice =
                error.serverAnswer == nil
                ? "check the connection, and the option \(login.option(name)) of the remote" : "try again later"
            let words = "the login at \(host) failed (\(error.reasonInWords))"
            let named = CocoaError.location(remote.name, words, advice)
            throw CocoaError(named.code, userInfo: named.userInfo.merging([NSUnderlyingErrorKey: error]) { $1 })
        }
    }

    private func token(from client: OAuth2Client) async throws -> OAuth2Token {
        if way == .pasting { return try await pastedToken(from: client) }
        guard way == .device || client.configuration.authorizationURL == nil else {
            let environment = session.environment
            return try await client.logIn { [console = session.console] url in
                console.tell("log in with a browser, at:")
                console.tell("  " + TerminalText.oneLine(url.absoluteString))
                Browser.open(url, environment: environment)
            }
        }
        let login = try await client.beginDeviceLogin()
        let url = TerminalText.oneLine(login.verificationURL.absoluteString)
        session.console.tell("open \(url) on any device, and type the code \(TerminalText.oneLine(login.userCode))")
        return try await client.token(for: login)
    }

    private func pastedToken(from client: OAuth2Client) async throws -> OAuth2Token {
        let login = try client.beginPastedLogin()
        session.console.tell("log in with a browser on any machine, at:")
        session.console.tell("  " + TerminalText.oneLine(login.url.absoluteString))
        let (noun, prompt) =
            login.redirectURL == nil
            ? ("code", "paste the code that it shows: ")
            : ("address", "it ends at a page that can't be loaded; paste the address of that page: ")
        let isAtTerminal = isatty(STDIN_FILENO) == 1
        let asked = isAtTerminal ? try await PasswordSource.ask(prompt, isSilent: false) : nil
        let text: String
        if let asked { text = asked } else { text = try await PasswordSource.fromStandardInput(noun: noun) }
        return try await client.token(for: login, pasted: text)
    }
}
