import FerryCore
import Foundation

/// Answers `ssh` without a person, and remembers a person's answers: further connections ask for none of them again.
actor SSHSecrets {
    private let password: String?
    private let passphrase: String?
    private let person: (any LoginQuestionAnswering)?
    private var answers: [LoginQuestion: String] = [:]

    /// The server's names, as `ssh` says them: the stored password is for no other host, such as one on the way.
    private var hosts: Set<String> = []

    /// Private keys as PEM that are in no file.
    nonisolated let key: String?

    /// Makes the secrets of a login.
    ///
    /// - Parameters:
    ///   - credential: With files of keys given, its password opens them and goes to no server; else it is the user's. Its
    ///     token is a private key.
    ///   - hasKeyFiles: `true` if files of keys are given.
    ///   - person: The person who may be asked besides.
    init(_ credential: FileProviderCredential?, hasKeyFiles: Bool, person: (any LoginQuestionAnswering)?) {
        var (password, key): (String?, String?)
        switch credential?.secret {
        case .password(let text): password = text
        case .token(let text): key = text
        case .oauth, nil: break
        }
        self.key = key
        self.password = hasKeyFiles ? nil : password
        passphrase = hasKeyFiles ? password : nil
        self.person = person
    }

    /// Sets whom the stored password is for.
    ///
    /// - Parameter hosts: The server's names, in lower case.
    func belong(to hosts: Set<String>) { self.hosts = hosts }

    /// Returns whether a question for a password names the server itself: `user@host's password: `, `(user@host)
    /// Password: `.
    private func isAboutServer(_ prompt: String) -> Bool {
        let asked = prompt.hasPrefix("(") ? prompt.dropFirst().prefix { $0 != ")" } : prompt[...]
        guard let at = asked.lastIndex(of: "@") else { return false }
        var host = asked[asked.index(after: at)...]
        if !prompt.hasPrefix("("), let end = host.range(of: "'s password: ", options: .backwards) {
            host = host[..<end.lowerBound]
        }
        return hosts.contains(host.lowercased())
    }

    /// Answers a question.
    ///
    /// - Parameters:
    ///   - question: The question.
    ///   - isFirst: `true` if this login has not asked it before: an answer that was wrong once is wrong.
    /// - Returns: `nil` if nobody can answer.
    /// - Throws: Any error that asking a person throws.
    func answer(_ question: LoginQuestion, isFirst: Bool) async throws -> String? {
        switch question {
        case .password(let prompt) where isFirst && password != nil && isAboutServer(prompt): return password
        case .passphrase where isFirst && passphrase != nil: return passphrase
        case .password, .passphrase:
            if isFirst, let known = answers[question] { return known }
            let answer = try await person?.answer(question)
            answers[question] = answer
            return answer
        // A code is good for once, and a key is known from then on.
        case .challenge, .hostKey, .notice: return try await person?.answer(question)
        }
    }
}
