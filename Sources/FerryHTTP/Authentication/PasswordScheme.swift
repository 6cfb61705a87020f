/// How a password is proved.
public enum PasswordScheme: Sendable, Hashable {
    /// Basic at once over TLS and within this machine; elsewhere whatever the server wants, Digest if it takes that.
    case automatic
    /// Basic at once (RFC 7617): over HTTP without TLS anybody on the line can read the password.
    case basic
    /// Digest only (RFC 7616): the password is never sent.
    case digest
}
