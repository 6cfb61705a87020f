package import FerryCore
import FerryCrypto
import Foundation

extension FileProviderCredential {
    /// The same person, without the secret: what a provider shows of it.
    ///
    /// A person without a name is known by a checksum of the token; a password could be guessed by one, so it has none.
    package var shown: FileProviderCredential {
        let fingerprint: String? =
            switch secret {
            case .token(let token): Self.checksum(token)
            case .oauth(let token): Self.checksum(token.refreshToken ?? token.accessToken)
            case .password, nil: fingerprint
            }
        return FileProviderCredential(user: user, fingerprint: user == nil ? fingerprint : nil)
    }

    private static func checksum(_ token: String) -> String {
        "token-" + HashAlgorithm.sha256.hash(Data(token.utf8)).prefix(16).hexadecimal
    }
}
