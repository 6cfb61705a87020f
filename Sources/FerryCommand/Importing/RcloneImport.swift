import FerryCore
import Foundation

/// What becomes of rclone's remotes, decided from the file alone.
struct RcloneImport {
    /// What becomes of one remote.
    enum Outcome {
        /// A remote of ours, with its secret; the notes say what could not be kept.
        case remote(ProviderConfiguration, secret: FileProviderCredential.Secret?, notes: [String])
        /// It is not needed here.
        case needless(String)
        /// It can't be imported.
        case unsupported(String)
    }

    private let sections: [String: RcloneFile.Section]

    /// Begins.
    ///
    /// - Parameter file: The file.
    init(_ file: RcloneFile) {
        sections = Dictionary(file.sections.map { ($0.name, $0) }) { _, last in last }
    }

    /// Decides about one remote.
    ///
    /// - Parameter section: The remote as rclone has it.
    /// - Returns: What becomes of it.
    func outcome(of section: RcloneFile.Section) -> Outcome {
        switch section.values["type"] {
        case "webdav": webDAV(section.values)
        case "sftp": sftp(section.values)
        case "ftp": ftp(section.values)
        case "alias": alias(section.values)
        case "local": .needless("it is this machine, whose paths need no remote")
        case let type?: .unsupported("rclone's type '\(type)' is not supported yet")
        case nil: .unsupported("it has no type")
        }
    }

    /// The password of a section.
    ///
    /// - Parameter obscured: As rclone writes it; `nil` or empty for none.
    /// - Returns: The password, or what a person is told in its place.
    static func password(_ obscured: String?) -> (secret: FileProviderCredential.Secret?, note: String?) {
        guard let obscured, !obscured.isEmpty else { return (nil, nil) }
        if let password = RcloneObscured.reveal(obscured) { return (.password(password), nil) }
        return (nil, "its password could not be read, so it is asked for")
    }

    private func webDAV(_ values: [String: String]) -> Outcome {
        guard let url = values["url"].flatMap({ URL(written: $0) }), url.host() != nil else {
            return .unsupported("it has no valid URL")
        }
        var notes: [String] = []
        var secret: FileProviderCredential.Secret?
        if let token = values["bearer_token"], !token.isEmpty {
            secret = .token(token)
        } else {
            let (password, note) = Self.password(values["pass"])
            secret = password
            notes += [note].compactMap(\.self)
        }
        for key in ["bearer_token_command", "headers", "unix_socket", "auth_redirect"] where values[key] != nil {
            notes.append("'\(key)' was left out")
        }
        let user = values["user"].flatMap { $0.isEmpty ? nil : $0 }
        let configuration = ProviderConfiguration(
            type: Self.kind(ofVendor: values["vendor"]).rawValue,
            baseURL: url,
            user: user
        )
        return .remote(configuration, secret: secret, notes: notes)
    }

    /// Returns what rclone calls a vendor is a kind of its own here, where that makes a difference.
    private static func kind(ofVendor vendor: String?) -> RemoteKind {
        vendor == "nextcloud" || vendor == "owncloud" ? .nextcloud : .webdav
    }

    /// Another name for a folder of another remote: here it is a remote of its own.
    private func alias(_ values: [String: String]) -> Outcome {
        guard let target = values["remote"], let colon = target.firstIndex(of: ":"),
            let section = sections[String(target[..<colon])], section.values["type"] != "alias"
        else { return .needless("it is another name for a local folder") }
        guard case .remote(var configuration, let secret, let notes) = outcome(of: section) else {
            return .unsupported("it is another name for '\(target)', which can't be imported")
        }
        guard let path = ItemPath("/" + target[target.index(after: colon)...]), let base = configuration.baseURL,
            var parts = URLComponents(url: base, resolvingAgainstBaseURL: true)
        else { return .unsupported("it leads to '\(target)', which is not a valid path") }
        if target[colon...].hasPrefix(":/") {
            // There a path with a slash before it begins at the server's top.
            if configuration.type == RemoteKind.sftp.rawValue { parts.percentEncodedPath = "/" }
            if configuration.type == RemoteKind.ftp.rawValue { parts.percentEncodedPath = "/%2F" }
        }
        while parts.percentEncodedPath.hasSuffix("/") { parts.percentEncodedPath.removeLast() }
        parts.percentEncodedPath += path.isRoot ? "/" : path.percentEncoded + "/"
        configuration.baseURL = parts.url
        return .remote(configuration, secret: secret, notes: notes)
    }
}
