import ArgumentParser
import FerryCore
import Foundation

/// The questions that make a remote: whatever the arguments leave out, and a storage of its kind can't do without.
///
/// They are asked only of a person at a terminal, in the order type, URL, user, options.
struct RemoteQuestions {
    /// The facts that describe a remote.
    struct Answers {
        /// The kind of storage.
        var kind: StorageKind

        /// The URL as it was written; `nil` for a kind without one.
        var url: String?

        /// The user; `nil` for none.
        var user: String?

        /// The options that were asked for.
        var options: [String: String] = [:]
    }

    /// The argument `--type`.
    let type: String?

    /// The argument `--url`.
    let url: String?

    /// The argument `--user`.
    let user: String?

    /// The arguments `--option`.
    let options: [String]

    /// The names of the options that arguments of their own give, such as `timeout`.
    let ownOptions: Set<String>

    /// The names of the options of a login by OAuth 2 that arguments of their own give, without the prefix of their
    /// kind.
    let oauthOptions: Set<String>

    /// Asks for all that is missing: type and URL, and options that are asked for or required.
    ///
    /// - Returns: The arguments, and the answers to the rest.
    /// - Throws: `ValidationError` that names what is missing when there is nobody to ask; `CancellationError`.
    func ask() async throws -> Answers {
        let kind = try await kind()
        var answers = Answers(kind: kind, url: url, user: user)
        let asksForUser = type == nil || url == nil && kind.addressing != nil
        if let addressing = kind.addressing, url == nil {
            answers.url = try await Self.ask("URL, such as \(addressing.example)", missing: "--url")
        }
        if asksForUser, user == nil, kind.takesPassword, answers.url.flatMap({ URL(written: $0)?.user() }) == nil {
            let name = try await Self.answer("User (empty for none): ") ?? ""
            answers.user = name.isEmpty ? nil : name
        }
        for option in missingOptions(of: kind) {
            let values = option.value == .text ? "" : " (\(option.value.words))"
            if option.isRequired {
                answers.options[option.name] = try await Self.ask(
                    option.help + values,
                    missing: "--option \(option.name)=…"
                )
            } else if isatty(STDIN_FILENO) == 1 {
                // Of what can be left out, a person is asked whose input goes nowhere else.
                let question = "\(option.help)\(values) (empty for \(option.defaultValue ?? "none")): "
                let text = try await Self.answer(question) ?? ""
                if !text.isEmpty { answers.options[option.name] = text }
            }
        }
        return answers
    }

    /// Returns the options of a kind that a person is asked for and no argument gives, in the order of the kind.
    ///
    /// - Parameter kind: The kind of storage.
    /// - Returns: The options, without those that stand for secrets.
    func missingOptions(of kind: StorageKind) -> [StorageOption] {
        var given = ownOptions.union(options.map { String($0.prefix { $0 != "=" }) })
        if let login = kind.oauth2 { given.formUnion(oauthOptions.map { login.option($0) }) }
        return kind.options.filter {
            ($0.isAskedFor || $0.isRequired) && !$0.isSecret && !$0.isLearned && !given.contains($0.name)
        }
    }

    private func kind() async throws -> StorageKind {
        if let type { return try StorageKind.named(type) }
        let kinds = StorageKind.ofRemotes
        guard ShellSession.isInteractive else {
            throw ValidationError("--type is missing; there are: " + StorageKind.typeNames.joined(separator: ", "))
        }
        let width = kinds.map(\.type.count).max() ?? 0
        let lines = kinds.map {
            "  \($0.type.padding(toLength: width + 2, withPad: " ", startingAt: 0))\($0.summary)\n"
        }
        var question = lines.joined() + "Kind of storage: "
        while true {
            let text = try await Self.ask(question, missing: "--type", isPlain: true)
            if let kind = kinds.first(where: { $0.type == text.lowercased() }) { return kind }
            question = "One of \(StorageKind.typeNames.joined(separator: ", ")): "
        }
    }

    /// Asks until there is an answer.
    private static func ask(_ question: String, missing argument: String, isPlain: Bool = false) async throws -> String
    {
        while true {
            guard let answer = try await answer(isPlain ? question : question + ": ") else {
                throw ValidationError("\(argument) is missing")
            }
            if !answer.isEmpty { return answer }
        }
    }

    /// The answer of the person at the terminal; `nil` if there is none.
    private static func answer(_ question: String) async throws -> String? {
        guard ShellSession.isInteractive else { return nil }
        return try await PasswordSource.ask(question, isSilent: false)?.trimmingCharacters(in: .whitespaces)
    }
}
