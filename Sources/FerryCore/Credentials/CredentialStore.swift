import Synchronization

/// Keeps secrets, apart from configurations.
///
/// An account is any text that names one login on one storage; ``ProviderConfiguration/account`` makes it.
public protocol CredentialStore: Sendable {
    /// The credential of an account.
    ///
    /// - Parameter account: Which login.
    /// - Returns: The credential, or `nil` if none is kept.
    /// - Throws: The error that keeps the store from being read; that is not the same as having none.
    func credential(for account: String) async throws -> FileProviderCredential?

    /// Keeps a credential, durably before it returns.
    ///
    /// - Parameters:
    ///   - credential: The credential; `nil` to forget the account.
    ///   - account: Which login.
    /// - Throws: The error that keeps the store from being written; the old credential is then still kept.
    func setCredential(_ credential: FileProviderCredential?, for account: String) async throws
}

/// Keeps secrets as long as the process lives.
public final class MemoryCredentialStore: CredentialStore {
    private let credentials: Mutex<[String: FileProviderCredential]>

    /// Makes a store.
    ///
    /// - Parameter credentials: The credentials that it keeps from the start, by account.
    public init(_ credentials: [String: FileProviderCredential] = [:]) {
        self.credentials = Mutex(credentials)
    }

    /// The credential of an account.
    ///
    /// - Parameter account: Which login.
    /// - Returns: The credential, or `nil` if none is kept.
    public func credential(for account: String) async -> FileProviderCredential? {
        credentials.withLock { $0[account] }
    }

    /// Keeps a credential.
    ///
    /// - Parameters:
    ///   - credential: The credential; `nil` to forget the account.
    ///   - account: Which login.
    public func setCredential(_ credential: FileProviderCredential?, for account: String) async {
        credentials.withLock { $0[account] = credential }
    }
}

/// A credential as stores write it down, secret and all: it is not for anybody else.
package struct StoredCredential: Codable, Sendable {
    private var user: String?
    private var password: String?
    private var token: String?
    private var oauth: OAuth2Token?

    /// Makes what is to be written.
    ///
    /// - Parameter credential: The credential.
    package init(_ credential: FileProviderCredential) {
        user = credential.user
        switch credential.secret {
        case .password(let text): password = text
        case .token(let text): token = text
        case .oauth(let tokens): oauth = tokens
        case nil: break
        }
    }

    /// The credential that was written.
    package var credential: FileProviderCredential {
        let secret: FileProviderCredential.Secret? =
            password.map { .password($0) } ?? token.map { .token($0) } ?? oauth.map { .oauth($0) }
        return FileProviderCredential(user: user, secret: secret)
    }
}
