/// A question of a program or a server that logs in, which only a person can answer.
public enum LoginQuestion: Sendable, Hashable {
    /// The password of a user.
    case password(prompt: String)
    /// The text that opens a private key, or a token's PIN.
    case passphrase(prompt: String)
    /// The question whether the key of a server that was never seen is the right one; `yes` if it is, and it is known from
    /// then on.
    case hostKey(prompt: String)
    /// Something that the server asks, such as a code that is valid for a minute.
    case challenge(prompt: String)
    /// Nothing to answer, but something to do: to touch a hardware key.
    case notice(text: String)

    /// The question, or the instruction.
    public var text: String {
        switch self {
        case .password(let text), .passphrase(let text), .hostKey(let text), .challenge(let text), .notice(let text):
            text
        }
    }
}

/// A person, or a program in a person's place, who answers questions while a provider logs in.
public protocol LoginQuestionAnswering: Sendable {
    /// Answers a question.
    ///
    /// - Parameter question: The question.
    /// - Returns: The answer, one line; `nil` if nobody can answer.
    /// - Throws: `CancellationError` when the person gives up.
    func answer(_ question: LoginQuestion) async throws -> String?
}

/// A provider whose login can be withdrawn on its server: a password or token that was made for this program alone.
public protocol FileProviderLoginRevoking: FileProviderBasic {
    /// Withdraws the login and closes the connections: the provider can't be used any more, whatever comes of it.
    ///
    /// - Throws: `URLError.userAuthenticationRequired` if it was withdrawn already; errors of the connection.
    func revokeLogin() async throws
}
