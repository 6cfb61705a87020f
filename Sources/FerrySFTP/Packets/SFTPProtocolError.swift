/// The server's message is not SFTP, or no answer to what it was asked.
struct SFTPProtocolError: Error, Hashable, CustomStringConvertible {
    /// The problem, in words.
    let description: String

    init(_ description: String) {
        self.description = description
    }

    /// A message ends within one of its fields.
    static let tooShort = SFTPProtocolError("a message ends too early")
}
