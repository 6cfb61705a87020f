import FerryCore
import Foundation

/// The settings by which an FTP server is reached, beside its URL and the login.
public struct FTPOptions: Sendable, Hashable {
    /// The protection of connections; `nil` for what the URL's scheme says.
    public var security: FTPSecurity?

    /// The encoding of names at the server.
    public var encoding = FTPNameEncoding.utf8

    /// Indicates whether the server connects to us for data (`PORT`, `EPRT`), instead of us to it.
    public var isActive = false

    /// Connections at the same time, at most: 1 to 64; what is beyond counts as the nearest of these.
    public var connections = 8

    /// Indicates whether `MLSD` and `MLST` are left alone, for servers that do them wrong.
    public var disablesMLSD = false

    /// Indicates whether `EPSV` and `EPRT` are left alone.
    public var disablesEPSV = false

    /// Indicates whether `LIST -a` is sent; `nil` to find out.
    public var listsHidden: Bool?

    /// The newest version of TLS that is offered; `nil` for what this libcurl does without fault.
    public var tlsMaximum: TLSVersion?

    /// Indicates whether whole folders are removed by `SITE RMDIR`.
    public var removesTrees = false

    /// A file with certificates, in PEM, of authorities that are trusted beside the system's, or the server's own.
    public var certificateFile: String?

    /// Indicates whether authorities of the system are trusted.
    package var trustsSystem = true

    /// A file with our own certificate, in PEM; `nil` for none.
    public var clientCertificateFile: String?

    /// A file with its key, in PEM; `nil` if that is in the same file.
    public var clientKeyFile: String?

    /// A proxy's URL: `http://…` or `socks5h://…`; `nil` for none.
    public var proxy: String?

    /// Indicates whether a user and a password that nobody gave are looked for in `~/.netrc`.
    public var readsNetrc = false

    /// The time that a server may be silent.
    public var timeout: Duration = .seconds(60)

    /// Versions of TLS that can be the newest.
    public enum TLSVersion: String, Sendable, Hashable {
        /// RFC 5246.
        case tls12 = "1.2"
        /// RFC 8446.
        case tls13 = "1.3"
    }

    /// Options as they were read, which are kept also where they say what holds anyway.
    private var written: [String: String] = [:]

    /// Makes options with these defaults.
    public init() {}
}

extension FTPOptions: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The options as a configuration keeps them, without the user and password of a proxy.
    public var description: String {
        var options = dictionary
        options[Key.proxy] = proxy.map { URL(string: $0)?.withoutUserInfo.absoluteString ?? "<redacted>" }
        return options.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: " ")
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror that shows nothing, so that no dump has a proxy's password.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension FTPOptions {
    /// The names of the options in a configuration.
    enum Key {
        static let security = "tls"
        static let encoding = "encoding"
        static let active = "active"
        static let connections = "connections"
        static let disablesMLSD = "disable-mlsd"
        static let disablesEPSV = "disable-epsv"
        static let listsHidden = "list-hidden"
        static let tlsMaximum = "tls-max"
        static let removesTrees = "site-rmdir"
        static let certificate = "certificate-authority"
        static let clientCertificate = "client-certificate"
        static let clientKey = "client-key"
        static let proxy = "proxy"
        static let timeout = "timeout"
        static let netrc = "netrc"
    }

    /// Reads options.
    ///
    /// - Parameter options: From a configuration; what is not known is left out.
    /// - Throws: `CocoaError.coderInvalidValue` for a value that makes no sense.
    package init(_ options: [String: String]) throws {
        let values = OptionReader(options)
        security = try values.value(Key.security, "explicit, implicit or none", FTPSecurity.init(rawValue:))
        if let text = options[Key.encoding] { encoding = try FTPNameEncoding(named: text) }
        connections = try values.number(Key.connections, in: 1...64) ?? connections
        tlsMaximum = try values.value(Key.tlsMaximum, "1.2 or 1.3", TLSVersion.init(rawValue:))
        isActive = try values.flag(Key.active) ?? false
        disablesMLSD = try values.flag(Key.disablesMLSD) ?? false
        disablesEPSV = try values.flag(Key.disablesEPSV) ?? false
        listsHidden = try values.flag(Key.listsHidden)
        removesTrees = try values.flag(Key.removesTrees) ?? false
        readsNetrc = try values.flag(Key.netrc) ?? false
        certificateFile = options[Key.certificate]
        clientCertificateFile = options[Key.clientCertificate]
        clientKeyFile = options[Key.clientKey]
        proxy = options[Key.proxy]
        timeout = try values.seconds(Key.timeout) ?? timeout
        written = options.filter { option in Self.all.contains { $0.name == option.key } }
    }

    /// The options as a configuration keeps them.
    package var dictionary: [String: String] {
        var options: [String: String] = [:]
        options[Key.security] = security?.rawValue
        options[Key.encoding] = encoding.name
        if connections != FTPOptions().connections { options[Key.connections] = String(connections) }
        options[Key.tlsMaximum] = tlsMaximum?.rawValue
        for (key, value) in [
            (Key.active, isActive), (Key.disablesMLSD, disablesMLSD), (Key.disablesEPSV, disablesEPSV),
            (Key.removesTrees, removesTrees), (Key.netrc, readsNetrc),
        ] where value { options[key] = "true" }
        options[Key.listsHidden] = listsHidden.map { $0 ? "true" : "false" }
        options[Key.certificate] = certificateFile
        options[Key.clientCertificate] = clientCertificateFile
        options[Key.clientKey] = clientKeyFile
        options[Key.proxy] = proxy
        if timeout != FTPOptions().timeout { options[Key.timeout] = String(timeout.components.seconds) }
        return options.merging(written) { known, _ in known }
    }
}

/// The protection of the connections to a server.
public enum FTPSecurity: String, Sendable, Hashable, Codable, CaseIterable {
    /// `AUTH TLS` before the login, `PROT P` for data (RFC 4217).
    case explicit
    /// TLS from the first byte, on a port of its own, 990 as a rule.
    case implicit
    /// None: the password and all files can be read on the way.
    case none
}
