import FerryCore
import Foundation

/// The secrets that are stored; one that is missing is asked for, and not stored.
///
/// A password that is given for this run takes precedence over a stored one.
struct AskingCredentialStore: CredentialStore {
    /// The stored credentials.
    let stored: any CredentialStore

    /// The program that asks.
    let passwords: PasswordSource

    /// The configuration of the remote or URL that the password is for.
    let configuration: ProviderConfiguration

    /// The advice when nobody can be asked.
    let advice: String

    /// The credential that is stored, or the one that a person gives.
    ///
    /// - Parameter account: Which login.
    /// - Returns: The credential; `nil` for a storage that is used without a name.
    /// - Throws: The error that keeps the store from being read; `URLError.userAuthenticationRequired` when nobody can
    ///   be asked, or a login has to come first.
    func credential(for account: String) async throws -> FileProviderCredential? {
        if account == configuration.account, configuration.oauth2 == nil, let user = configuration.user,
            let password = passwords.given
        {
            return FileProviderCredential(user: user, secret: .password(password))
        }
        if let credential = try await stored.credential(for: account) { return credential }
        // Only the password of the remote itself is asked for.
        guard account == configuration.account else { return nil }
        let place = configuration.baseURL?.host() ?? configuration.type
        if configuration.oauth2 != nil {
            throw URLError.answer(
                .userAuthenticationRequired,
                description: "nobody is logged in at \(place)",
                suggestion: advice
            )
        }
        guard let user = configuration.user else { return nil }
        let password = try await passwords.password(of: user, at: place, advice: advice)
        return FileProviderCredential(user: user, secret: .password(password))
    }

    /// Stores a credential.
    ///
    /// - Parameters:
    ///   - credential: The credential.
    ///   - account: Which login.
    /// - Throws: The error that keeps the store from being written.
    func setCredential(_ credential: FileProviderCredential?, for account: String) async throws {
        try await stored.setCredential(credential, for: account)
    }
}
