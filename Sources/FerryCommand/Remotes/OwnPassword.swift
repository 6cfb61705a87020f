import FerryCore
import FerryCrypto
import Foundation

/// The passwords that logins in the browser have made for ferry alone, which are good until they are revoked.
///
/// One that somebody has made and given to ferry may be used elsewhere too: it is never revoked here.
struct OwnPassword {
    /// The option of a remote that has one: ``mark(_:)``.
    static let key = "own-password"

    /// Returns what tells such a password from any other that is stored for the same account later: a part of its
    /// SHA-256.
    ///
    /// Servers make these passwords of dozens of random letters, so nobody can guess one by it.
    ///
    /// - Parameter credential: The credential that a login in the browser has brought.
    /// - Returns: `nil` if it is no password.
    static func mark(_ credential: FileProviderCredential) -> String? {
        guard case .password(let password) = credential.secret else { return nil }
        return HashAlgorithm.sha256.hash(Data(password.utf8)).prefix(8).hexadecimal
    }

    private let storages: Storages

    /// Begins.
    ///
    /// - Parameter storages: Where the secrets are.
    init(_ storages: Storages) {
        self.storages = storages
    }

    /// Returns what has to be told to a server before the secret of a remote is forgotten or replaced; nothing is sent
    /// yet.
    ///
    /// - Parameter remote: The remote.
    /// - Returns: `nil` if its password was not made for ferry alone, or is gone.
    /// - Throws: The error that keeps the secret from being read.
    func revocation(of remote: Remote) async throws -> Revocation? {
        let configuration = remote.configuration
        guard let known = configuration.options[Self.key],
            let credential = try await storages.secrets.own(remote).credential(for: configuration.account),
            Self.mark(credential) == known
        else { return nil }
        return Revocation(remote: remote, credential: credential, storages: storages)
    }

    /// A password that is to be revoked.
    struct Revocation {
        fileprivate let remote: Remote
        fileprivate let credential: FileProviderCredential
        fileprivate let storages: Storages

        /// Has the server forget the password; that it can't be told is no reason to keep it here.
        ///
        /// - Parameter console: Where to say that it stays good.
        func run(_ console: Console) async {
            let configuration = remote.configuration
            do {
                let opening = storages.opening(MemoryCredentialStore([configuration.account: credential]))
                let provider = try await StorageKind.open(configuration, opening)
                guard let revoking = provider as? any FileProviderLoginRevoking else { return }
                try await revoking.revokeLogin()
            } catch let error as URLError where error.code == .userAuthenticationRequired {
                return  // somebody has revoked it already
            } catch {
                let words = "the server could not be told: its password for ferry is good until you revoke it there"
                console.tell(TerminalText.oneLine("\(remote.name): \(words)"))
            }
        }
    }
}
