/// Kinds of keys that OpenSSH makes.
public enum SSHKeyKind: String, CaseIterable, Sendable, CustomStringConvertible {
    case ed25519
    case ecdsa
    case rsa

    /// Its name.
    public var description: String { rawValue }
}
