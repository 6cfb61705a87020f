import FerryCore
import Foundation

/// A storage that a person has given a name.
struct Remote: Sendable, Hashable {
    /// What stands before the colon.
    var name: String

    /// How to reach it; never with a secret.
    var configuration: ProviderConfiguration

    /// Whether what is read of it may be kept on this machine.
    var isCached = true
}

extension CocoaError {
    /// There is no remote of that name.
    ///
    /// - Parameters:
    ///   - name: What was asked for.
    ///   - text: What a person wrote, if it is a location.
    /// - Returns: An error that says what to do.
    static func unknownRemote(_ name: String, in text: String? = nil) -> CocoaError {
        .location(
            text ?? name,
            "there is no remote called '\(name)'",
            sftpHint(name, in: text)
                ?? text.map { "make one with 'ferry remote add', or write './\($0)' for a local file" }
                ?? "see 'ferry remote list'"
        )
    }

    /// What `user@host:path` would be here, as `scp` and `rsync` have it.
    private static func sftpHint(_ name: String, in text: String?) -> String? {
        guard let text, let at = name.firstIndex(of: "@"), at != name.startIndex, name.last != "@" else { return nil }
        // There a path begins at the user's own folder, unless it has a slash before it.
        let path = text.dropFirst(name.count + 1)
        let folder = path.hasPrefix("/") ? "" : path.hasPrefix("~") || path.isEmpty ? "/" : "/~/"
        return "write sftp://\(name)\(folder)\(path)"
    }
}
