package import FerryCore
package import Foundation

/// The options of a configuration that every provider on HTTP has: whom to trust, how to get there, how long to wait.
package struct HTTPOptions: Sendable, Hashable {
    private enum Key {
        static let certificate = "certificate-authority"
        static let clientCertificate = "client-certificate"
        static let clientKey = "client-key"
        static let proxy = "proxy"
        static let timeout = "timeout"
    }

    /// The value of `proxy` that stands for the proxies that the program's environment names.
    private static let environment = "environment"

    /// The options, as a ``StorageKind`` lists them.
    package static let all: [StorageOption] = [
        StorageOption(
            Key.timeout,
            "Seconds that the server may be silent",
            value: .seconds,
            default: "60"
        ),
        StorageOption(Key.certificate, "PEM file with certificates that are trusted beside the system's", value: .file),
        StorageOption(Key.clientCertificate, "PEM file with a certificate of your own", value: .file).decidingAccount(),
        StorageOption(
            Key.clientKey,
            "PEM file with its key",
            value: .file,
            default: "the certificate's file"
        ),
        StorageOption(
            Key.proxy,
            "Use of the proxies that HTTPS_PROXY and its like name",
            value: .choice([environment, "none"]),
            default: environment
        ),
    ]

    /// A file with certificates, in PEM, of authorities that are trusted beside the system's; `nil` for the system's only.
    package var certificateFile: String?

    /// A file with our own certificate, in PEM, and those above it; `nil` for none.
    package var clientCertificateFile: String?

    /// A file with its key, in PEM; `nil` if that is in the same file.
    package var clientKeyFile: String?

    /// The use of the proxies that the program's environment names (`HTTPS_PROXY` …); `nil` if nobody has decided, which
    /// is none for a library.
    package var usesProxiesOfEnvironment: Bool?

    /// The time that a server may be silent before a request is given up; `nil` for the transport's own.
    package var timeout: Duration?

    /// Makes options that say nothing.
    package init() {}

    /// Reads options.
    ///
    /// - Parameter options: Those of a configuration; others are left out.
    package init(_ options: [String: String]) {
        certificateFile = options[Key.certificate]
        clientCertificateFile = options[Key.clientCertificate]
        clientKeyFile = options[Key.clientKey]
        usesProxiesOfEnvironment = options[Key.proxy].map { $0 == Self.environment }
        timeout = options[Key.timeout].flatMap { Int64($0) }.flatMap { $0 > 0 && $0 < 1 << 31 ? .seconds($0) : nil }
    }

    /// The options as a configuration keeps them.
    package var dictionary: [String: String] {
        var options: [String: String] = [:]
        options[Key.certificate] = certificateFile
        options[Key.clientCertificate] = clientCertificateFile
        options[Key.clientKey] = clientKeyFile
        options[Key.proxy] = usesProxiesOfEnvironment.map { $0 ? Self.environment : "none" }
        options[Key.timeout] = timeout.map { String($0.components.seconds) }
        return options
    }

    /// Makes a transport as the options want it.
    ///
    /// - Parameter watch: The watch that notes requests without an answer; `nil` for none.
    /// - Returns: A new transport.
    /// - Throws: Errors of reading the certificates; `URLError.badURL` for a proxy that makes no sense.
    package func makeTransport(_ watch: WaitWatch? = nil) throws -> any HTTPTransport {
        var configuration = HTTPTransportConfiguration()
        if usesProxiesOfEnvironment == true {
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

extension ProviderConfiguration {
    /// The same, through the proxies that the environment names where nothing else was decided: the default of a program,
    /// while a library uses none.
    package var throughProxies: ProviderConfiguration {
        var options = HTTPOptions(self.options)
        guard options.usesProxiesOfEnvironment == nil else { return self }
        options.usesProxiesOfEnvironment = true
        var configuration = self
        configuration.options.merge(options.dictionary) { $1 }
        return configuration
    }
}

extension OptionReader {
    /// Returns the URL of a server that gets tokens, or codes for them; `nil` if the option is not set.
    ///
    /// - Parameter key: The option.
    /// - Returns: A URL of HTTPS, or of this machine, without user and password.
    /// - Throws: `CocoaError.coderInvalidValue`, without the text: it may hold a secret.
    package func serverURL(_ key: String) throws -> URL? {
        guard let text = self[key] else { return nil }
        guard let url = URL(string: text), let origin = HTTPOrigin(url), origin.scheme == "https" || origin.isLoopback,
            url.user == nil, url.password == nil
        else { throw Self.wrong(key, "…", "a URL of https") }
        return url
    }
}
