import FerryCore
import FerryHTTP
import FerryWebDAV
import Foundation

/// The passwords that logins in the browser have made for ferry alone, which are good until they are revoked.
///
/// One that somebody has made and given to ferry may be used elsewhere too: it is never revoked here.
struct OwnPassword {
    /// The option of a remote that has one.
    static let key = "password-by"
    /// Its value.
    static let value = "browser"

    private let storages: Storages

    /// Begins.
    ///
    /// - Parameter storages: Where the secrets are.
    init(_ storages: Storages) {
        self.storages = storages
    }

    /// What has to be told to a server before the secret of a remote is forgotten or replaced; nothing is sent yet.
    ///
    /// - Parameter remote: The remote.
    /// - Returns: `nil` if its password was not made for ferry alone, or is gone.
    /// - Throws: What keeps the secret from being read.
    func revocation(of remote: Remote) async throws -> Revocation? {
        let configuration = remote.configuration
        guard configuration.options[Self.key] == Self.value,
            let credential = try await storages.secrets.credential(for: configuration.account),
            credential.secret != nil
        else { return nil }
        return Revocation(remote: remote, credential: credential, storages: storages)
    }

    /// Writes down that a remote has such a password no longer.
    ///
    /// - Parameter remote: The remote.
    /// - Throws: What keeps the remotes from being written.
    func forget(_ remote: Remote) async throws {
        guard remote.configuration.options[Self.key] != nil else { return }
        try await storages.remotes.update { [name = remote.name] file in
            guard var changed = try file.remote(named: name) else { return }
            changed.configuration.options[Self.key] = nil
            file.set(changed)
        }
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
                let provider = try await RemoteKind.open(
                    configuration,
                    credentials: MemoryCredentialStore([configuration.account: credential]),
                    environment: storages.providerEnvironment,
                    uploads: storages.uploads
                )
                guard let cloud = provider as? NextcloudFileProvider else { return }
                do {
                    try await cloud.revokeAppPassword()
                    await cloud.invalidate()
                } catch {
                    await cloud.invalidate()
                    throw error
                }
            } catch let error as URLError where error.code == .userAuthenticationRequired {
                return  // somebody has revoked it already
            } catch {
                let words = "the server could not be told: its password for ferry is good until you revoke it there"
                console.tell(TerminalText.oneLine("\(remote.name): \(words)"))
            }
        }
    }
}
