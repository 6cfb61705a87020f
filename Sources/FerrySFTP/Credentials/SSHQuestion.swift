/// A question of `ssh` that only a person can answer.
public enum SSHQuestion: Sendable, Hashable {
    /// The password of a user.
    case password(prompt: String)
    /// What opens a private key, or a token's PIN.
    case passphrase(prompt: String)
    /// Indicates whether the key of a server that was never seen is the right one; `yes` if it is, and it is known from
    /// then on.
    case hostKey(prompt: String)
    /// Something that the server asks, such as a code that is valid for a minute.
    case challenge(prompt: String)
    /// Nothing to answer, but something to do: to touch a hardware key.
    case notice(text: String)

    /// Reads a question.
    ///
    /// - Parameters:
    ///   - prompt: What `ssh` asks.
    ///   - kind: Its `SSH_ASKPASS_PROMPT`: `confirm` for a yes or no, `none` for no answer.
    init(_ prompt: String, kind: String) {
        let isPrint = { (scalar: Unicode.Scalar) in scalar == "\n" || scalar.value >= 32 && scalar.value != 127 }
        let text = String(String.UnicodeScalarView(prompt.unicodeScalars.filter(isPrint).prefix(2000)))
        if kind == "none" {
            self = .notice(text: text)
        } else if text.hasPrefix("The authenticity of host ") || text.hasPrefix("Please type 'yes'") {
            self = .hostKey(prompt: text)
        } else if text.hasPrefix("("), let end = text.firstIndex(of: ")") {
            // What a server asks stands after who is asked: so it can't pass for one of the others.
            let asked = text[text.index(after: end)...].lowercased()
            self = asked.contains("password") ? .password(prompt: text) : .challenge(prompt: text)
        } else if text.hasSuffix("'s password: ") {
            self = .password(prompt: text)
        } else if text.hasPrefix("Enter passphrase for ") || text.hasPrefix("Enter PIN for ") {
            self = .passphrase(prompt: text)
        } else {
            self = .challenge(prompt: text)
        }
    }

    /// The question, or the instruction.
    public var text: String {
        switch self {
        case .password(let text), .passphrase(let text), .hostKey(let text), .challenge(let text), .notice(let text):
            text
        }
    }
}

/// Answers the questions of `ssh`.
public protocol SSHQuestionAnswering: Sendable {
    /// Answers a question.
    ///
    /// - Parameter question: What is asked.
    /// - Returns: The answer, one line; `nil` if nobody can answer.
    /// - Throws: `CancellationError` when a person wants no more of it.
    func answer(_ question: SSHQuestion) async throws -> String?
}
