import FerryCore
import Foundation

/// How `ssh` has ended, and what it said.
struct SSHFailure: LocalizedError, Sendable, Hashable {
    let exitCode: Int32

    /// All lines that it wrote.
    let words: String

    /// Why a question of its was not answered.
    var refusal: SSHRefusal?

    /// Its last line.
    var errorDescription: String? { lastLine }

    private var lines: [Substring] {
        words.split(separator: "\n").filter { !$0.allSatisfy { $0 == "@" || $0 == " " } }
    }

    private var lastLine: String {
        lines.last.map { String($0.prefix(300)) } ?? "ssh ended with the code \(exitCode)"
    }

    private func says(_ text: String) -> Bool { words.range(of: text, options: .caseInsensitive) != nil }

    private func saysOne(of texts: String...) -> Bool { texts.contains(where: says) }

    /// The error that a caller sees.
    ///
    /// The words are those of OpenSSH, which has them in English only.
    ///
    /// - Parameters:
    ///   - place: The server, in words.
    ///   - isLoggedIn: `true` if the server has spoken SFTP before.
    /// - Returns: An error that holds this one.
    func mapped(place: String, isLoggedIn: Bool) -> any Error {
        if refusal == .cancelled { return CancellationError() }
        func error(_ code: URLError.Code, _ description: String, _ suggestion: String? = nil) -> URLError {
            .answer(code, description: description, suggestion: suggestion, underlying: self)
        }
        if says("REMOTE HOST IDENTIFICATION HAS CHANGED") || saysOne(of: "is marked as revoked", "revoked host key") {
            return error(
                .serverCertificateUntrusted,
                "\(place) shows another key than before: somebody may be in between, or the server is a new one",
                "ask whoever runs it; only if the new key is right, remove the old one with 'ssh-keygen -R \(place)'"
            )
        }
        if says("Host key verification failed") || says("host key is known for") {
            return error(
                .serverCertificateHasUnknownRoot,
                "the key of \(place) is not known",
                "compare its fingerprint at a terminal, or give it as the option 'fingerprint'"
            )
        }
        if saysOne(of: "Permission denied (", "Too many authentication failures", "Permission denied, please try again")
        {
            if case .unanswered(let question)? = refusal {
                return error(
                    .userAuthenticationRequired,
                    "\(place) wants to know: \(question.text.trimmingCharacters(in: .whitespacesAndNewlines))",
                    "store it with the login, or ask at a terminal"
                )
            }
            return error(
                .userAuthenticationRequired,
                "\(place) refuses the login: \(lastLine)",
                "check the user, the password and the keys: 'ssh -v' tells more"
            )
        }
        if saysOne(
            of: "Bad packet length",
            "message authentication code incorrect",
            "Corrupted MAC",
            "invalid format",
            "banner line contains invalid characters",
            "Protocol mismatch",
            "Bad remote protocol version",
            "incomplete message",
            "banner line too long",
            "Packet corrupt",
            "Protocol error"
        ) {
            return error(.cannotParseResponse, "\(place) doesn't speak SSH: \(lastLine)")
        }
        if says("subsystem request failed") {
            return CocoaError(
                .featureUnsupported,
                userInfo: [
                    NSLocalizedDescriptionKey: "\(place) has no SFTP",
                    NSLocalizedRecoverySuggestionErrorKey: "whoever runs it may switch it on",
                    NSUnderlyingErrorKey: self,
                ]
            )
        }
        if saysOne(of: "Could not resolve hostname", "Name or service not known") {
            return error(.cannotFindHost, "there is no host \(place)", "check the name")
        }
        if saysOne(of: "Unable to negotiate", "no matching host key type", "no matching key exchange") {
            return error(.secureConnectionFailed, "no common way to be secure with \(place): \(lastLine)")
        }
        if saysOne(of: "timed out", "Timeout, server") {
            return error(.timedOut, "\(place) does not answer: \(lastLine)")
        }
        if saysOne(of: "Connection refused", "No route to host", "Network is unreachable", "Host is down") {
            return error(.cannotConnectToHost, "\(place) can't be reached: \(lastLine)")
        }
        if isLoggedIn || saysOne(of: "Connection closed", "Connection reset", "Broken pipe", "closed by remote host") {
            return error(.networkConnectionLost, "the line to \(place) has broken: \(lastLine)")
        }
        return error(.cannotConnectToHost, "no line to \(place): \(lastLine)", "'ssh' itself may tell more")
    }
}

/// Why a question of `ssh` was not answered.
enum SSHRefusal: Sendable, Hashable {
    /// Nobody knows the answer.
    case unanswered(LoginQuestion)
    /// A person wants no more of it.
    case cancelled
}
