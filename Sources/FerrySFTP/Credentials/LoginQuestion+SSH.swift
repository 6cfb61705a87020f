import FerryCore

extension LoginQuestion {
    /// Reads a question.
    ///
    /// - Parameters:
    ///   - prompt: The prompt that `ssh` shows.
    ///   - kind: Its `SSH_ASKPASS_PROMPT`: `confirm` for a yes or no, `none` for no answer.
    init(_ prompt: String, kind: String) {
        let isPrint = { (scalar: Unicode.Scalar) in scalar == "\n" || scalar.value >= 32 && scalar.value != 127 }
        let text = String(String.UnicodeScalarView(prompt.unicodeScalars.filter(isPrint).prefix(2000)))
        if kind == "none" {
            self = .notice(text: text)
        } else if text.hasPrefix("The authenticity of host ") || text.hasPrefix("Please type 'yes'") {
            self = .hostKey(prompt: text)
        } else if text.hasPrefix("("), let end = text.firstIndex(of: ")") {
            // A server's question stands after who is asked: so it can't pass for one of the others.
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
}
