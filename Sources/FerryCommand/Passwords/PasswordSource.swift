import FerryCore
import Foundation
import NIOCore

/// Where a password comes from that is not stored: the environment, or the person at the terminal.
struct PasswordSource: Sendable {
    /// The variable that answers wherever ferry would ask.
    static let variable = "FERRY_PASSWORD"

    private let environment: [String: String]

    /// Begins.
    ///
    /// - Parameter environment: `FERRY_PASSWORD` is the answer to every question.
    init(environment: [String: String]) {
        self.environment = environment
    }

    /// The password that was given for this run.
    var given: String? { environment[Self.variable].flatMap { $0.isEmpty ? nil : $0 } }

    /// A user's password.
    ///
    /// - Parameters:
    ///   - user: The user's name.
    ///   - place: Where, in words.
    ///   - advice: The advice when nobody can be asked.
    /// - Returns: The password.
    /// - Throws: `URLError.userAuthenticationRequired` when nobody can be asked; `CancellationError`.
    func password(of user: String, at place: String, advice: String) async throws -> String {
        if let given { return given }
        let prompt = TerminalText.oneLine("Password of \(user) at \(place): ")
        guard let password = try await Self.ask(prompt) else {
            throw URLError(
                .userAuthenticationRequired,
                userInfo: [
                    NSLocalizedFailureReasonErrorKey: "the password of \(user) at \(place) is not known",
                    NSLocalizedRecoverySuggestionErrorKey: advice,
                ]
            )
        }
        return password
    }

    /// The answer to a question of a program, for which a password or its like is the answer.
    ///
    /// - Parameter prompt: The question.
    /// - Returns: The answer; `nil` when nobody can be asked.
    /// - Throws: `CancellationError`.
    func answer(to prompt: String) async throws -> String? {
        if let given { return given }
        return try await Self.ask(LoginAnswers.harmless(prompt))
    }

    /// Tells the person at the terminal something that has no answer.
    ///
    /// - Parameter text: The instruction to show.
    /// - Returns: `nil`.
    /// - Throws: `CancellationError`.
    static func tell(_ text: String) async throws -> String? {
        try await BlockingWork.run { TerminalQuestion.tell(text + "\n") }
        return nil
    }

    /// Asks the person at the terminal, whatever stdin and stdout are.
    ///
    /// - Parameters:
    ///   - prompt: The question.
    ///   - isSilent: `true` if the answer is not echoed on the terminal.
    /// - Returns: The answer; `nil` if there is no terminal.
    /// - Throws: `CancellationError`.
    static func ask(_ prompt: String, isSilent: Bool = true) async throws -> String? {
        let isCancelled = Milestone()
        return try await withTaskCancellationHandler {
            try await BlockingWork.run {
                try TerminalQuestion.answer(to: prompt, isSilent: isSilent, unless: isCancelled)
            }
        } onCancel: {
            isCancelled.reach()
        }
    }

    /// Asks the person at the terminal whether something shall be done.
    ///
    /// - Parameter question: The question, with `[y/N]` at its end.
    /// - Returns: `true` if it was confirmed; `nil` if there is no terminal.
    /// - Throws: `CancellationError`.
    static func confirm(_ question: String) async throws -> Bool? {
        try await ask(question, isSilent: false).map { ["y", "yes"].contains($0.lowercased()) }
    }

    /// The first lines of the standard input.
    ///
    /// - Parameters:
    ///   - lines: The most lines to read: 1 for a password.
    ///   - noun: The noun for an error.
    /// - Returns: The line without its end, or all lines.
    /// - Throws: `CocoaError` when it is empty; what reading throws.
    static func fromStandardInput(_ lines: Int = 1, noun: String = "password") async throws -> String {
        var bytes: [UInt8] = []
        for try await chunk in StandardInput() {
            bytes += chunk.readableBytesView
            if lines == 1 && bytes.contains(UInt8(ascii: "\n")) || bytes.count > 1 << 20 { break }
        }
        var line = lines == 1 ? bytes.prefix { $0 != UInt8(ascii: "\n") } : bytes[...]
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        guard !line.isEmpty, let text = String(validating: line, as: UTF8.self) else {
            throw CocoaError.location("standard input", "there is no \(noun) in it", "give it as the first line")
        }
        return text
    }
}

/// Answers questions of a login from the environment and by the person at the terminal.
struct LoginAnswers: LoginQuestionAnswering {
    /// The program that asks.
    let passwords: PasswordSource

    /// Answers a question.
    ///
    /// - Parameter question: The question; only a person can say that a server's key is the right one.
    /// - Returns: The answer; `nil` if nobody can be asked.
    /// - Throws: `CancellationError`.
    func answer(_ question: LoginQuestion) async throws -> String? {
        switch question {
        case .password(let prompt), .passphrase(let prompt): try await passwords.answer(to: prompt)
        case .challenge(let prompt): try await PasswordSource.ask(Self.harmless(prompt))
        case .hostKey(let prompt): try await PasswordSource.ask(Self.harmless(prompt), isSilent: false)
        case .notice(let text): try await PasswordSource.tell(Self.harmless(text))
        }
    }

    /// Returns what may be shown at a terminal; the lines stay.
    static func harmless(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { TerminalText.harmless(String($0)) }
            .joined(separator: "\n")
    }
}
