import Foundation

/// The files that a login needs, in a folder that only this user can enter: a program that passes on `ssh`'s questions, the
/// pipes that it does so through, a private key that is in no file else, and the socket that further lines share.
///
/// No secret is on a command line or in a variable, where others could see it; answers go through a pipe.
final class SSHLoginFolder: Sendable, Hashable {
    let path: String
    let hasKey: Bool
    let fingerprints: [String]

    /// Makes the folder.
    ///
    /// - Parameters:
    ///   - parent: Where; `nil` for the folder of this login's session, or else the system's for temporary files.
    ///   - key: A private key as PEM.
    ///   - fingerprints: Fingerprints of the server's key, one of which it must have.
    /// - Throws: `CocoaError` when it can't be made.
    init(in parent: URL?, key: String?, fingerprints: [String]) throws {
        let parents = [
            parent?.path(percentEncoded: false), ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"],
            NSTemporaryDirectory(), "/tmp",
        ].compactMap(\.self).filter { !$0.isEmpty }
        // A socket's path has room for about 100 bytes, of which `ssh` needs some.
        let usable = parents.first { $0.utf8.count <= 50 && access($0, W_OK | X_OK) == 0 } ?? "/tmp"
        var template = Array((usable + (usable.hasSuffix("/") ? "" : "/") + "ferry-XXXXXX").utf8CString)
        guard let made = mkdtemp(&template) else {
            throw CocoaError(
                .fileWriteUnknown,
                userInfo: [
                    NSFilePathErrorKey: usable, NSUnderlyingErrorKey: POSIXError(.init(rawValue: errno) ?? .EIO),
                    NSLocalizedDescriptionKey: "no folder for a login can be made there",
                ]
            )
        }
        path = String(cString: made)
        hasKey = key != nil
        self.fingerprints = fingerprints
        do {
            try Self.write(Self.askpass, to: path + "/ask", mode: 0o700)
            for pipe in [questions, answers] {
                guard mkfifo(pipe, 0o600) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
            }
            if let key { try Self.write(key.hasSuffix("\n") ? key : key + "\n", to: path + "/key", mode: 0o600) }
            if !fingerprints.isEmpty { try Self.write(fingerprintText, to: path + "/known", mode: 0o700) }
        } catch {
            remove()
            throw error
        }
    }

    deinit { remove() }

    /// The program that `ssh` asks.
    var askpassProgram: String { path + "/ask" }

    /// Where questions come from.
    var questions: String { path + "/questions" }

    /// Where answers go.
    var answers: String { path + "/answers" }

    /// The file that holds the private key.
    var keyFile: String? { hasKey ? path + "/key" : nil }

    /// The program that knows the server's key by its fingerprint.
    var fingerprintScript: String? { fingerprints.isEmpty ? nil : path + "/known" }

    /// The socket that further lines share.
    var controlPath: String { path + "/line" }

    private func remove() {
        for name in ["ask", "questions", "answers", "key", "known", "line"] { unlink(path + "/" + name) }
        rmdir(path)
    }

    private static func write(_ text: String, to path: String, mode: mode_t) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard file >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        defer { close(file) }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
            guard count > 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
            rest = rest.dropFirst(count)
        }
    }

    /// Passes a question on, and prints the answer; without one it fails.
    ///
    /// A notice (`none`) has no answer.
    private static let askpass = """
        #!/bin/sh
        folder=${0%/*}
        printf '%s\\0%s\\0' "$SSH_ASKPASS_PROMPT" "$1" >"$folder/questions" || exit 1
        [ "$SSH_ASKPASS_PROMPT" != none ] || exit 0
        IFS= read -r answer <"$folder/answers" || exit 1
        case $answer in
        +*) printf '%s\\n' "${answer#+}" ;;
        *) exit 1 ;;
        esac

        """

    /// Called with the fingerprint of the key that the server shows, its host, type and the key: says that it is known.
    private var fingerprintText: String {
        let known = fingerprints.map { "'\($0.filter { $0.isASCII && !"'\\\n".contains($0) })'" }.joined(separator: "|")
        return """
            #!/bin/sh
            case $1 in
            \(known)) printf '%s %s %s\\n' "$2" "$3" "$4" ;;
            esac

            """
    }

    static func == (first: SSHLoginFolder, second: SSHLoginFolder) -> Bool { first === second }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
