import FerryCore
import Foundation

/// A storage that a person has given a name.
struct Remote: Sendable, Hashable {
    /// The name, which stands before the colon.
    var name: String

    /// How to reach it; never with a secret.
    var configuration: ProviderConfiguration

    /// The identifier that its secrets are stored by, and nobody else's; it stays when the name changes.
    var id: String

    /// Indicates whether what is read of it may be kept on this machine.
    var isCached = true

    /// Indicates whether what is done on it can be undone, for which something may have to be set aside there.
    var isUndoable = true

    /// Makes a value.
    ///
    /// - Parameters:
    ///   - name: The name, which stands before the colon.
    ///   - configuration: How to reach it.
    ///   - id: The identifier that its secrets are stored by; a new one when `nil`.
    ///   - isCached: `true` if what is read of it may be kept on this machine.
    ///   - isUndoable: `true` if what is done on it can be undone.
    init(
        name: String,
        configuration: ProviderConfiguration,
        id: String? = nil,
        isCached: Bool = true,
        isUndoable: Bool = true
    ) {
        self.name = name
        self.configuration = configuration
        self.id = id ?? UUID().uuidString.lowercased()
        self.isCached = isCached
        self.isUndoable = isUndoable
    }
}

extension CocoaError {
    /// There is no remote of that name.
    ///
    /// - Parameters:
    ///   - name: The name that was asked for.
    ///   - text: The text that a person wrote, if it is a location.
    /// - Returns: An error that says what to do.
    static func unknownRemote(_ name: String, in text: String? = nil) -> CocoaError {
        .location(
            text ?? name,
            "there is no remote called '\(name)'",
            scpHint(name, in: text)
                ?? text.map { "make one with 'ferry remote add', or write './\($0)' for a local file" }
                ?? "see 'ferry remote list'"
        )
    }

    /// Returns what `user@host:path` would be here, as `scp` and `rsync` have it.
    private static func scpHint(_ name: String, in text: String?) -> String? {
        guard let text, let at = name.firstIndex(of: "@"), at != name.startIndex, name.last != "@",
            let addressing = StorageKind.ofRemotes.compactMap(\.addressing).first(where: { $0.homeName != nil }),
            let home = addressing.homeName, let scheme = addressing.schemes.first?.written
        else { return nil }
        // There a path begins at the user's own folder, unless it has a slash before it.
        let path = text.dropFirst(name.count + 1)
        let folder = path.hasPrefix("/") ? "" : path.hasPrefix(home) || path.isEmpty ? "/" : "/\(home)/"
        return "write \(scheme)://\(name)\(folder)\(path)"
    }
}
