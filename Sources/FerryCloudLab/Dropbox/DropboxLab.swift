public import Foundation
import Synchronization

/// An emulated Dropbox: API version 2, OAuth 2 and temporary links.
public final class DropboxLab: Sendable {
    struct State {
        var settings = DropboxSettings()
        var accounts: [DropboxAccount] = []
        var generator = SeededGenerator(seed: 0xD20B)
        var accessTokens: [String: DropboxAccessToken] = [:]
        var refreshTokens: [String: DropboxRefreshToken] = [:]
        var codes: [String: DropboxCode] = [:]
        var cursors: [String: DropboxCursor] = [:]
        var sessions: [String: DropboxSession] = [:]
        var jobs: [String: DropboxJob] = [:]
        var links: [String: DropboxLink] = [:]
        var grants: [DropboxGrant] = []
        var temporaryLinks: [String: DropboxTemporaryLink] = [:]
        var copyReferences: [String: DropboxCopyReference] = [:]
        var pages: [String: DropboxPages] = [:]
        var remoteFiles: [String: CloudContent] = [:]
    }

    let clock: LabClock
    let state = Mutex(State())
    private let base: URL

    init(base: URL, clock: LabClock, settings: DropboxSettings, quota: Int64?) {
        self.base = base
        self.clock = clock
        state.withLock { $0.settings = settings }
        makeAccount(quota: quota)
    }

    /// The base URL in place of `https://api.dropboxapi.com`.
    public var apiURL: URL { base.appending(path: "dropbox/api") }
    /// The base URL in place of `https://content.dropboxapi.com`.
    public var contentURL: URL { base.appending(path: "dropbox/content") }
    /// The base URL in place of `https://notify.dropboxapi.com`.
    public var notifyURL: URL { base.appending(path: "dropbox/notify") }
    /// The page in place of `https://www.dropbox.com/oauth2/authorize`.
    public var authorizationURL: URL { base.appending(path: "dropbox/www/oauth2/authorize") }
    /// The address in place of `https://api.dropboxapi.com/oauth2/token`.
    public var tokenURL: URL { base.appending(path: "dropbox/api/oauth2/token") }

    /// The settings.
    public var settings: DropboxSettings {
        get { state.withLock(\.settings) }
        set { state.withLock { $0.settings = newValue } }
    }

    /// The account that exists from the start, in which ``authorizationURL`` signs in.
    public var account: DropboxAccount {
        state.withLock(\.accounts).first ?? makeAccount()
    }

    /// Makes one more account.
    ///
    /// - Parameters:
    ///   - email: The address by which the user signs in.
    ///   - name: The name of the user.
    ///   - isTeamMember: A Boolean value that indicates whether the user's home lies in the space of a team.
    ///   - quota: The number of bytes that fit; `nil` for no limit.
    /// - Returns: The account, which is empty.
    @discardableResult
    public func makeAccount(
        email: String = "user@example.com",
        name: String = "Lab User",
        isTeamMember: Bool = false,
        quota: Int64? = 2 << 30
    ) -> DropboxAccount {
        let id = "dbid:" + makeText(length: 35)
        let account = DropboxAccount(
            id: id,
            email: email,
            name: name,
            isTeamMember: isTeamMember,
            quota: quota,
            clock: clock
        )
        state.withLock { $0.accounts.append(account) }
        return account
    }

    /// Lets `files/save_url` find a file.
    ///
    /// - Parameters:
    ///   - contents: The bytes.
    ///   - url: The address; the lab itself never looks at other hosts.
    public func publish(_ contents: Data, at url: String) {
        let content = CloudContent(contents)
        state.withLock { $0.remoteFiles[url] = content }
    }

    /// Ends the life of all access tokens; refresh tokens stay good.
    public func expireAccessTokens() {
        let now = clock.now
        state.withLock { state in
            for token in state.accessTokens.keys { state.accessTokens[token]?.expires = now }
        }
    }

    /// Makes all tokens of an account bad, as if the user had turned the app out.
    ///
    /// - Parameter account: The account.
    public func revokeTokens(of account: DropboxAccount) {
        state.withLock { state in
            state.accessTokens = state.accessTokens.filter { $0.value.account !== account }
            state.refreshTokens = state.refreshTokens.filter { $0.value.account !== account }
        }
    }

    /// Forgets what is behind all cursors, so that clients have to list again.
    public func resetCursors() {
        state.withLock { state in
            for cursor in state.cursors.keys { state.cursors[cursor]?.isReset = true }
        }
    }

    /// Returns a text of letters and digits that nobody has had before.
    func makeText(length: Int) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
        return state.withLock { state in
            String((0..<length).map { _ in letters[Int.random(in: 0..<letters.count, using: &state.generator)] })
        }
    }
}
