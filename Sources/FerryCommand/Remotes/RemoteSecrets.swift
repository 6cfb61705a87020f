import FerryCore
import FerryHTTP
import FerryKeyring
import Foundation

/// Where the secrets of remotes are, apart from their configuration: in the desktop's keyring, or a file of mode 0600.
///
/// A secret in the file takes precedence, and is removed from it when it is stored anew in a keyring; so a secret that
/// was stored while there was no keyring is never hidden by an older one.
struct RemoteSecrets: CredentialStore {
    /// Turns the keyring off.
    static let variable = "FERRY_KEYRING"

    private let file: FileCredentialStore
    private let path: String
    private let keyring: SecretServiceStore?

    /// Begins; nothing is read, loaded or asked yet.
    ///
    /// - Parameters:
    ///   - folders: Where a person's programs keep their things.
    ///   - environment: `DBUS_SESSION_BUS_ADDRESS` says where the keyring would be; `FERRY_KEYRING=off` is for none.
    init(folders: UserFolders, environment: [String: String]) {
        path = folders.data + "/credentials.json"
        file = FileCredentialStore(url: URL(filePath: path, directoryHint: .notDirectory))
        let address = environment["DBUS_SESSION_BUS_ADDRESS"].flatMap { $0.isEmpty ? nil : $0 }
        let isOff = environment[Self.variable] == "off"
        keyring = isOff ? nil : address.map { SecretServiceStore(address: $0) }
    }

    /// The credential of an account.
    ///
    /// - Parameter account: Which login.
    /// - Returns: The credential, or `nil` if none is kept.
    /// - Throws: The error that keeps the file or the keyring from being read.
    func credential(for account: String) async throws -> FileProviderCredential? {
        try await found(account)?.credential
    }

    /// Keeps a credential.
    ///
    /// - Parameters:
    ///   - credential: The credential; `nil` to forget the account.
    ///   - account: Which login.
    /// - Throws: The error that keeps the file or the keyring from being written.
    func setCredential(_ credential: FileProviderCredential?, for account: String) async throws {
        guard let keyring, await keyring.isAvailable else {
            return try await file.setCredential(credential, for: account)
        }
        try await keyring.setCredential(credential, for: account)
        guard try await file.credential(for: account) != nil else { return }
        try await file.setCredential(nil, for: account)
    }

    /// The secrets of one remote, which no other remote has, though it may be at the same URL with the same user.
    ///
    /// - Parameter remote: The remote.
    /// - Returns: Its own store.
    func own(_ remote: Remote) -> RemoteCredentials { RemoteCredentials(all: self, id: remote.id) }

    /// Where the secret of an account is, in words.
    ///
    /// - Parameter account: Which login.
    /// - Returns: As in "stored in …"; `nil` if it has no secret.
    /// - Throws: The error that keeps the file or the keyring from being read.
    func place(of account: String) async throws -> String? {
        guard let (credential, place) = try await found(account), credential.secret != nil else { return nil }
        return place
    }

    private func found(_ account: String) async throws -> (credential: FileProviderCredential, place: String)? {
        if let credential = try await file.credential(for: account) { return (credential, path) }
        guard let keyring else { return nil }
        do {
            return try await keyring.credential(for: account).map { ($0, "the desktop's keyring") }
        } catch let error as CocoaError where error.code == .featureUnsupported {
            // A session without a keyring.
            return nil
        }
    }

}

/// The secrets of one remote.
///
/// They go by the remote's id, and by the URL and the user that they were given for: a remote that is led elsewhere takes
/// none along.
struct RemoteCredentials: CredentialStore {
    fileprivate let all: RemoteSecrets
    fileprivate let id: String

    private func key(_ account: String) -> String { "\(account)#\(id)" }

    /// The credential of an account.
    ///
    /// - Parameter account: Which login.
    /// - Returns: The credential, or `nil` if none is kept.
    /// - Throws: The error that keeps the store from being read.
    func credential(for account: String) async throws -> FileProviderCredential? {
        try await all.credential(for: key(account))
    }

    /// Keeps a credential.
    ///
    /// - Parameters:
    ///   - credential: The credential; `nil` to forget the account.
    ///   - account: Which login.
    /// - Throws: The error that keeps the store from being written.
    func setCredential(_ credential: FileProviderCredential?, for account: String) async throws {
        try await all.setCredential(credential, for: key(account))
    }

    /// Where the secret of an account is, in words.
    ///
    /// - Parameter account: Which login.
    /// - Returns: As in "stored in …"; `nil` if it has no secret.
    /// - Throws: The error that keeps the store from being read.
    func place(of account: String) async throws -> String? { try await all.place(of: key(account)) }

    /// Forgets all secrets of the remote.
    ///
    /// - Parameter configuration: Where it leads.
    /// - Throws: The error that keeps the store from being written.
    func forget(_ configuration: ProviderConfiguration) async throws {
        for account in [configuration.account, configuration.oauthClientAccount] {
            guard try await credential(for: account) != nil else { continue }
            try await setCredential(nil, for: account)
        }
    }
}
