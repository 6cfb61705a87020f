/// The FTP servers that tests run as processes of their own.
public enum FTPServerKind: String, CaseIterable, Sendable, CustomStringConvertible {
    /// vsftpd, which has no MLSD.
    case vsftpd
    /// ProFTPD with its mod_tls and mod_copy.
    case proftpd
    /// Pure-FTPd.
    case pureftpd
    /// pyftpdlib, a server in Python.
    case pyftpdlib

    /// Its short name.
    public var description: String { rawValue }
}

/// How an FTP server protects its connections.
public enum FTPServerSecurity: String, CaseIterable, Sendable {
    /// Not at all.
    case plain
    /// `AUTH TLS`, without which it takes no login.
    case explicit
    /// TLS from the first byte.
    case implicit
}

/// A way into an FTP server: a process of its own each.
public struct FTPServerWay: Sendable, Hashable, CustomStringConvertible {
    /// Which server.
    public let kind: FTPServerKind
    /// How it protects its connections.
    public let security: FTPServerSecurity

    /// Makes a way.
    ///
    /// - Parameters:
    ///   - kind: Which server.
    ///   - security: How it protects its connections.
    public init(_ kind: FTPServerKind, _ security: FTPServerSecurity) {
        (self.kind, self.security) = (kind, security)
    }

    /// The server and how it protects its connections.
    public var description: String { "\(kind), \(security.rawValue)" }
}
