package import FerryHTTP

/// What a configuration can say of a WebDAV server, beside where it is and who we are there.
package struct WebDAVOptions: Sendable, Hashable {
    private static let certificateKey = "certificate-authority"
    private static let authenticationKey = "authentication"
    private static let schemes: [String: PasswordScheme] = ["basic": .basic, "digest": .digest]

    /// A file with certificates, in PEM, of authorities that are trusted beside the system's; `nil` for the system's only.
    package var certificateFile: String?

    /// How a password is proved.
    package var authentication = PasswordScheme.automatic

    /// Makes options that say nothing.
    package init() {}

    /// Reads options.
    ///
    /// - Parameter options: From a configuration; what is not known is left out.
    package init(_ options: [String: String]) {
        certificateFile = options[Self.certificateKey]
        authentication = options[Self.authenticationKey].flatMap { Self.schemes[$0] } ?? .automatic
    }

    /// The options as a configuration keeps them.
    package var dictionary: [String: String] {
        var options: [String: String] = [:]
        options[Self.certificateKey] = certificateFile
        options[Self.authenticationKey] = Self.schemes.first { $0.value == authentication }?.key
        return options
    }

    /// A transport as the options want it.
    ///
    /// - Returns: A new transport.
    /// - Throws: What reading the certificates throws.
    package func makeTransport() throws -> any HTTPTransport {
        guard let certificateFile else { return AsyncHTTPClientTransport() }
        var configuration = HTTPTransportConfiguration()
        configuration.trust = .system(and: [.file(certificateFile)])
        return try AsyncHTTPClientTransport(configuration)
    }
}
