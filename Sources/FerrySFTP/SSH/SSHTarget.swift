import Foundation

/// Whom `ssh` is to reach, and as whom.
struct SSHTarget: Sendable, Hashable {
    /// A host, or a name of the person's configuration.
    let host: String
    let port: Int?
    let user: String?

    /// Reads a URL's host; it must not look like an option.
    ///
    /// - Parameters:
    ///   - url: A URL of `sftp`.
    ///   - user: The user's name there; when `nil`, the one in the configuration, or that of this process.
    init?(_ url: URL, user: String?) {
        guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true), let host = parts.host,
            !host.isEmpty, !host.hasPrefix("-"), parts.port.map({ UInt16(exactly: $0) != nil }) ?? true
        else { return nil }
        let isPlain = { (text: String) in
            text.unicodeScalars.allSatisfy { $0.value > 32 && $0.value != 127 }
        }
        guard isPlain(host), user.map({ isPlain($0) && !$0.hasPrefix("-") && !$0.isEmpty }) ?? true else { return nil }
        // ssh wants the address alone.
        self.host = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        port = parts.port
        self.user = user
    }

    /// As it stands in messages.
    var words: String { port.map { "\(host):\($0)" } ?? host }
}
