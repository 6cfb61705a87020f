import Foundation
import NIOHTTP1
import Synchronization

extension GraphLab {
    /// The permissions that the lab knows.
    public static let allScopes: Set<String> = [
        "User.Read", "Files.Read", "Files.ReadWrite", "Files.Read.All", "Files.ReadWrite.All",
        "Files.ReadWrite.AppFolder", "Sites.Read.All", "Sites.ReadWrite.All", "offline_access", "openid", "profile",
    ]

    /// Makes an access token.
    ///
    /// - Parameters:
    ///   - account: The account that it opens; by default the one that exists from the start.
    ///   - lifetime: The time for which it is good, by the lab's clock; `nil` for good.
    ///   - scopes: The permissions that it gives; `nil` for all.
    /// - Returns: The token.
    public func makeAccessToken(
        for account: GraphAccount? = nil,
        lifetime: Duration? = nil,
        scopes: Set<String>? = nil
    ) -> String {
        let text = "EwB4A8l6" + makeText(length: 56)
        let token = GraphAccessToken(
            account: account ?? self.account,
            expires: lifetime.map { clock.now.addingTimeInterval($0 / .seconds(1)) },
            scopes: scopes
        )
        state.withLock { $0.accessTokens[text] = token }
        return text
    }

    /// Makes a refresh token, as an app has that the user has let in.
    ///
    /// - Parameters:
    ///   - account: The account that it opens; by default the one that exists from the start.
    ///   - clientID: The app that may use it; `nil` for any.
    ///   - scopes: The permissions that it gives; `nil` for all.
    /// - Returns: The token.
    public func makeRefreshToken(
        for account: GraphAccount? = nil,
        clientID: String? = nil,
        scopes: Set<String>? = nil
    ) -> String {
        let text = "M.C5" + makeText(length: 60)
        let token = GraphRefreshToken(account: account ?? self.account, clientID: clientID, scopes: scopes)
        state.withLock { $0.refreshTokens[text] = token }
        return text
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
    public func revokeTokens(of account: GraphAccount) {
        state.withLock { state in
            state.accessTokens = state.accessTokens.filter { $0.value.account !== account }
            state.refreshTokens = state.refreshTokens.filter { $0.value.account !== account }
        }
    }
}
