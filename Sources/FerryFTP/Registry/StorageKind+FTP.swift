public import FerryCore
import Foundation

extension StorageKind {
    /// An FTP server, with TLS or without.
    public static let ftp: StorageKind = {
        var kind = StorageKind(
            type: FTPFileProvider.type,
            displayName: "FTP",
            summary: "An FTP server, with TLS or without"
        ) { configuration, opening in
            try await FTPFileProvider(
                configuration: configuration,
                credentials: opening.credentials,
                environment: opening.environment
            )
        }
        var addressing = StorageAddressing(
            schemes: [
                StorageAddressing.Scheme("ftp", defaultPort: 21), StorageAddressing.Scheme("ftps", defaultPort: 990),
            ],
            example: "ftp://host/folder/ or ftps://host/folder/",
            serverWords: "an FTP server"
        )
        addressing.topPath = "/%2F"
        kind.addressing = addressing
        kind.logins = [.password, .none]
        kind.options = FTPOptions.all
        kind.examples = [
            "site --type ftp --url ftp://example.org/htdocs/ --user alice --option tls=explicit"
        ]
        kind.rclone = .ftp
        return kind
    }()
}

extension FTPOptions {
    /// The options, as a ``StorageKind`` lists them.
    package static let all: [StorageOption] = [
        StorageOption(
            Key.security,
            "Protection of the connections",
            value: .choice(FTPSecurity.allCases.map(\.rawValue)),
            default: "implicit for ftps, none for ftp"
        ),
        StorageOption(Key.encoding, "Encoding of names, as iconv calls it", default: "utf-8"),
        StorageOption(Key.connections, "Connections at the same time", value: .number(1...64), default: "8"),
        StorageOption(Key.timeout, "Seconds that the server may be silent", value: .seconds, default: "60"),
        StorageOption(Key.certificate, "PEM file with certificates that are trusted", value: .file),
        StorageOption(Key.clientCertificate, "PEM file with a certificate of your own", value: .file).decidingAccount(),
        StorageOption(Key.clientKey, "PEM file with its key", value: .file, default: "the certificate's file"),
        StorageOption(
            Key.tlsMaximum,
            "Newest version of TLS",
            value: .choice(["1.2", "1.3"]),
            default: "the newest that works with libcurl"
        ),
        StorageOption(Key.proxy, "URL of a proxy: http://… or socks5h://…", value: .url),
        StorageOption(Key.active, "Active mode: the server connects to you", value: .flag, default: "false"),
        StorageOption(Key.listsHidden, "Listing of hidden files by LIST -a", value: .flag, default: "found out"),
        StorageOption(Key.disablesMLSD, "Do not use MLSD and MLST", value: .flag, default: "false"),
        StorageOption(Key.disablesEPSV, "Do not use EPSV and EPRT", value: .flag, default: "false"),
        StorageOption(Key.removesTrees, "Remove whole folders by SITE RMDIR", value: .flag, default: "false"),
        StorageOption(Key.netrc, "Login from ~/.netrc", value: .flag, default: "false"),
    ]
}

extension RcloneRule {
    fileprivate static let ftp: RcloneRule = {
        var rule = RcloneRule(type: "ftp") { section in
            let isImplicit = section.isOn("tls")
            var parts = URLComponents()
            (parts.scheme, parts.host, parts.path) = (isImplicit ? "ftps" : "ftp", section.value("host"), "/")
            // Its port is 21, also with TLS from the first byte.
            parts.port = try section.port() ?? (isImplicit ? 21 : nil)
            guard section.value("host") != nil, let url = parts.url else {
                throw RcloneSection.Problem("it has no valid host")
            }
            var options: [String: String] = [:]
            if isImplicit || section.isOn("explicit_tls") {
                let security = isImplicit ? FTPSecurity.implicit : .explicit
                options[FTPOptions.Key.security] = security.rawValue
            }
            var (secret, notes) = section.password()
            for (key, scheme) in [("socks_proxy", "socks5h://"), ("http_proxy", "")] {
                guard let proxy = section.value(key) else { continue }
                // A password in it would be readable in the file of remotes.
                if proxy.contains("@") {
                    notes.append("'\(key)' was left out, since it may hold a password")
                } else {
                    options[FTPOptions.Key.proxy] = scheme + proxy
                }
            }
            if section.isOn("no_check_certificate") {
                notes.append(
                    "'no_check_certificate' was left out: name the certificate by --option certificate-authority=FILE"
                )
            }
            let configuration = ProviderConfiguration(
                type: FTPFileProvider.type,
                baseURL: url,
                // Without a name it takes that of the person who runs it.
                user: section.value("user") ?? NSUserName(),
                options: options
            )
            return RcloneRemote(configuration, secret: secret, notes: notes)
        }
        rule.renamed = [
            ("concurrency", FTPOptions.Key.connections), ("disable_mlsd", FTPOptions.Key.disablesMLSD),
            ("disable_epsv", FTPOptions.Key.disablesEPSV), ("force_list_hidden", FTPOptions.Key.listsHidden),
        ]
        rule.leftOut = [
            "ask_password", "close_timeout", "disable_tls13", "disable_utf8", "encoding", "idle_timeout",
            "no_check_upload", "shut_timeout", "tls_cache_size", "writing_mdtm",
        ]
        return rule
    }()
}
