package import FerryCore
package import FerryHTTP
import Foundation

/// What a configuration can say of a WebDAV server, beside where it is and who we are there.
package struct WebDAVOptions: Sendable, Hashable {
    private static let certificateKey = "certificate-authority"
    private static let clientCertificateKey = "client-certificate"
    private static let clientKeyKey = "client-key"
    /// `environment` for the proxies that the program's environment names.
    package static let proxyKey = "proxy"

    /// How long a server may be silent, in seconds.
    package static let timeoutKey = "timeout"
    static let authenticationKey = "authentication"
    /// What was learnt by trying the server out: see ``WebDAVProvider/discover(probing:)``.
    package static let triedKey = "tried"

    /// A file with certificates, in PEM, of authorities that are trusted beside the system's; `nil` for the system's only.
    package var certificateFile: String?

    /// A file with our own certificate, in PEM, and those above it; `nil` for none.
    package var clientCertificateFile: String?

    /// A file with its key, in PEM; `nil` if that is in the same file.
    package var clientKeyFile: String?

    /// Indicates whether servers are reached through the proxies that the program's environment names (`HTTPS_PROXY`
    /// …).
    package var usesProxiesOfEnvironment = false

    /// How long a server may be silent before a request is given up; `nil` for what the transport does.
    package var timeout: Duration?

    /// How a password is proved.
    package var scheme = PasswordScheme.automatic

    /// Where tokens are to be had that are sent instead of a password, without the app's secret; `nil` for a password.
    package var oauth: OAuth2Configuration?

    /// What was learnt about the server by trying; `nil` if nobody has.
    package var tried: WebDAVTrial?

    /// Makes options that say nothing.
    package init() {}

    /// Reads options.
    ///
    /// - Parameter options: From a configuration; what is not known is left out.
    package init(_ options: [String: String]) {
        certificateFile = options[Self.certificateKey]
        clientCertificateFile = options[Self.clientCertificateKey]
        clientKeyFile = options[Self.clientKeyKey]
        usesProxiesOfEnvironment = options[Self.proxyKey] == "environment"
        timeout = options[Self.timeoutKey].flatMap { Int64($0) }.flatMap { $0 > 0 && $0 < 1 << 31 ? .seconds($0) : nil }
        scheme = Self.schemes.first { $0.name == options[Self.authenticationKey] }?.scheme ?? .automatic
        oauth = OAuth2Configuration(webDAVOptions: options)
        tried = options[Self.triedKey].map { WebDAVTrial($0) }
    }

    /// The options as a configuration keeps them.
    package var dictionary: [String: String] {
        var options: [String: String] = [:]
        options[Self.certificateKey] = certificateFile
        options[Self.clientCertificateKey] = clientCertificateFile
        options[Self.clientKeyKey] = clientKeyFile
        options[Self.proxyKey] = usesProxiesOfEnvironment ? "environment" : nil
        options[Self.timeoutKey] = timeout.map { String($0.components.seconds) }
        options[Self.authenticationKey] = Self.schemes.first { $0.scheme == scheme }?.name
        options[Self.triedKey] = tried?.text
        if let oauth { options.merge(oauth.webDAVOptions) { $1 } }
        return options
    }

    /// What a configuration calls the schemes; nothing for the automatic one.
    private static let schemes: [(name: String, scheme: PasswordScheme)] = [("basic", .basic), ("digest", .digest)]

    /// A transport as the options want it.
    ///
    /// - Parameter watch: The watch that notes requests without an answer; `nil` for none.
    /// - Returns: A new transport.
    /// - Throws: What reading the certificates throws; `URLError.badURL` for a proxy that makes no sense.
    package func makeTransport(_ watch: WaitWatch? = nil) throws -> any HTTPTransport {
        var configuration = HTTPTransportConfiguration()
        if usesProxiesOfEnvironment {
            configuration.proxyRules = try HTTPProxyRules(environment: ProcessInfo.processInfo.environment)
        }
        if let certificateFile { configuration.trust = .system(and: [.file(certificateFile)]) }
        if let clientCertificateFile {
            configuration.clientCertificate = HTTPClientCertificate(
                chain: .file(clientCertificateFile),
                key: .file(clientKeyFile ?? clientCertificateFile)
            )
        }
        // A time that was asked for holds for every request.
        if let timeout { (configuration.idleTimeout, configuration.workPatience) = (timeout, 1) }
        let transport = try NIOTransport(configuration)
        return watch.map { WatchedTransport(transport, watch: $0) } ?? transport
    }
}
