import FerryCore
import Foundation

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
