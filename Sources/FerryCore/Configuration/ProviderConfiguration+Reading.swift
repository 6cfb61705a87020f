package import Foundation

extension ProviderConfiguration {
    /// Checks that this is the configuration of one kind of storage.
    ///
    /// - Parameters:
    ///   - type: The kind of storage.
    ///   - owner: The words for such a storage, for errors.
    /// - Throws: `CocoaError.coderInvalidValue`.
    package func check(_ type: String, _ owner: String) throws {
        guard self.type == type else { throw CocoaError.misconfigured("not the configuration of \(owner)") }
    }

    /// Returns the URL of one kind of storage.
    ///
    /// - Parameters:
    ///   - type: The kind of storage.
    ///   - owner: The words for such a storage, for errors.
    /// - Returns: The URL.
    /// - Throws: `CocoaError.coderInvalidValue` for another type, and without a URL.
    package func url(of type: String, _ owner: String) throws -> URL {
        try check(type, owner)
        guard let baseURL else { throw CocoaError.misconfigured("the configuration of \(owner) has no URL") }
        return baseURL
    }

    /// Returns the account, with its secret if there is one.
    ///
    /// - Parameter store: The store of secrets.
    /// - Returns: The credential; `nil` where nobody is named.
    /// - Throws: Errors of the store.
    package func credential(in store: any CredentialStore) async throws -> FileProviderCredential? {
        try await store.credential(for: account) ?? user.map { FileProviderCredential(user: $0) }
    }
}

extension CocoaError {
    /// Makes the error for a configuration that makes no sense.
    ///
    /// - Parameter description: The reason.
    /// - Returns: `CocoaError.coderInvalidValue`.
    package static func misconfigured(_ description: String) -> CocoaError {
        CocoaError(.coderInvalidValue, userInfo: [NSLocalizedDescriptionKey: description])
    }
}
