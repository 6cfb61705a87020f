/// How the connections to a server are protected.
public enum FTPSecurity: String, Sendable, Hashable, Codable, CaseIterable {
    /// `AUTH TLS` before the login, `PROT P` for data (RFC 4217).
    case explicit
    /// TLS from the first byte, on a port of its own, 990 as a rule.
    case implicit
    /// None: the password and all files can be read on the way.
    case none
}
