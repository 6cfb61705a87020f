import FerryCore
import Foundation

extension RcloneImport {
    /// rclone's options by ours: those that are the same under another name.
    private static let optionsOfFTP = [
        ("concurrency", "connections"), ("disable_mlsd", "disable-mlsd"), ("disable_epsv", "disable-epsv"),
        ("force_list_hidden", "list-hidden"),
    ]

    /// The keys of a section that are left out, since nothing here is like them.
    private static let leftOutOfFTP = [
        "ask_password", "close_timeout", "disable_tls13", "disable_utf8", "encoding", "idle_timeout",
        "no_check_upload", "shut_timeout", "tls_cache_size", "writing_mdtm",
    ]

    /// An FTP server.
    ///
    /// - Parameter values: The section's keys and values.
    /// - Returns: A remote at the folder that a login starts in, as rclone has it.
    func ftp(_ values: [String: String]) -> Outcome {
        func value(_ key: String) -> String? { values[key].flatMap { $0.isEmpty ? nil : $0 } }
        func isOn(_ key: String) -> Bool { value(key)?.lowercased() == "true" }
        let isImplicit = isOn("tls")
        var parts = URLComponents()
        (parts.scheme, parts.host, parts.path) = (isImplicit ? "ftps" : "ftp", value("host"), "/")
        // Its port is 21, also with TLS from the first byte.
        if let port = value("port") ?? (isImplicit ? "21" : nil) {
            guard let number = UInt16(port) else { return .unsupported("it has no valid port") }
            parts.port = Int(number)
        }
        guard value("host") != nil, let url = parts.url else { return .unsupported("it has no valid host") }
        var options: [String: String] = [:]
        if isImplicit || isOn("explicit_tls") { options["tls"] = isImplicit ? "implicit" : "explicit" }
        for (theirs, ours) in Self.optionsOfFTP {
            guard let text = value(theirs), text != "0", text.lowercased() != "false" else { continue }
            options[ours] = text
        }
        var notes: [String] = []
        for (key, scheme) in [("socks_proxy", "socks5h://"), ("http_proxy", "")] {
            guard let proxy = value(key) else { continue }
            // A password in it would be readable in the file of remotes.
            if proxy.contains("@") {
                notes.append("'\(key)' was left out, since it may hold a password")
            } else {
                options["proxy"] = scheme + proxy
            }
        }
        if isOn("no_check_certificate") {
            notes.append(
                "'no_check_certificate' was left out: name the certificate by --option certificate-authority=FILE"
            )
        }
        for key in Self.leftOutOfFTP where value(key) != nil { notes.append("'\(key)' was left out") }
        let (secret, note) = Self.password(value("pass"))
        notes += [note].compactMap(\.self)
        let configuration = ProviderConfiguration(
            type: RemoteKind.ftp.rawValue,
            baseURL: url,
            // Without a name it takes that of the person who runs it.
            user: value("user") ?? NSUserName(),
            options: options
        )
        return .remote(configuration, secret: secret, notes: notes)
    }
}
