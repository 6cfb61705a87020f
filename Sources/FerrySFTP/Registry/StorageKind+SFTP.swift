public import FerryCore
import Foundation

#if os(Linux) || os(macOS)
extension StorageKind {
    /// A server that is reached over SSH.
    public static let sftp: StorageKind = {
        var kind = StorageKind(
            type: SFTPFileProvider.type,
            displayName: "SFTP",
            summary: "A server that is reached over SSH, by the 'ssh' of this machine"
        ) { configuration, opening in
            try await SFTPFileProvider(
                configuration: configuration,
                credentials: opening.credentials,
                asking: opening.person,
                environment: opening.environment
            )
        }
        var addressing = StorageAddressing(
            schemes: [StorageAddressing.Scheme("sftp", defaultPort: 22)],
            example: "sftp://user@host/folder",
            serverWords: "an SFTP server"
        )
        addressing.homeName = "~"
        addressing.topPath = "/"
        kind.addressing = addressing
        kind.logins = [.program("ssh"), .password]
        kind.options = SFTPOptions.all
        kind.examples = [
            "lab --type sftp --url sftp://alice@lab.example.org/data",
            "nas --type sftp --url sftp://bob@nas/~ --option key-file=~/.ssh/nas --option connections=2",
        ]
        kind.rclone = .sftp
        return kind
    }()
}

extension SFTPOptions {
    /// The option that names the file of a private key, which is stored with the passwords.
    private static let keyFileOption = "key-pem"

    fileprivate static let all: [StorageOption] = [
        StorageOption(
            Key.keyFile,
            "Files with private keys, which alone are tried beside an agent's",
            value: .files,
            default: "those of ssh"
        ),
        StorageOption(
            keyFileOption,
            "File with a private key that is stored with the passwords",
            value: .secretFile(containing: "PRIVATE KEY-----")
        ),
        StorageOption(
            Key.fingerprint,
            "Fingerprints that the server's key can have, with commas between them"
        ),
        StorageOption(
            Key.knownHosts,
            "File of known hosts",
            value: .file,
            default: "~/.ssh/known_hosts"
        ),
        StorageOption(
            Key.connections,
            "Channels at the same time",
            value: .number(1...64),
            default: "4"
        ),
        StorageOption(Key.timeout, "Seconds that the server may be silent", value: .seconds, default: "60"),
        StorageOption(
            Key.pathOverride,
            "Path at which the server's shell has the folder, or the top after an '@'"
        ),
        StorageOption(Key.filePermissions, "Permissions of new files in octal, such as 640"),
        StorageOption(Key.owner, "User and group of new files by numbers, such as 1000:1000"),
        StorageOption(Key.program, "Program that makes the connection", value: .program, default: "ssh"),
        StorageOption(
            Key.configurationFile,
            "Configuration of ssh to read in place of yours",
            value: .file,
            default: "~/.ssh/config"
        ),
    ]
}

extension RcloneRule {
    fileprivate static let sftp: RcloneRule = {
        var rule = RcloneRule(type: "sftp") { section in
            var parts = URLComponents()
            (parts.scheme, parts.host, parts.path) = ("sftp", section.value("host"), "/~")
            if let port = try section.port(), port != 22 { parts.port = port }
            guard section.value("host") != nil, let url = parts.url else {
                throw RcloneSection.Problem("it has no valid host")
            }
            var options: [String: String] = [:]
            let files = ["key_file": SFTPOptions.Key.keyFile, "known_hosts_file": SFTPOptions.Key.knownHosts]
            for (key, option) in files {
                guard let file = section.value(key) else { continue }
                options[option] = (file as NSString).expandingTildeInPath
            }
            var (secret, notes) = Self.secret(in: section)
            if let program = section.value("ssh") {
                // There it is a whole command.
                if program.contains(" ") {
                    notes.append("'ssh' was left out")
                } else {
                    options[SFTPOptions.Key.program] = program
                }
            }
            if section.value("known_hosts_file") == nil { notes.append("the server's key is checked from now on") }
            let configuration = ProviderConfiguration(
                type: SFTPFileProvider.type,
                baseURL: url,
                user: section.value("user"),
                options: options
            )
            return RcloneRemote(configuration, secret: secret, notes: notes)
        }
        rule.renamed = [("path_override", SFTPOptions.Key.pathOverride)]
        // ssh has its own say in them, or nothing here is like them.
        rule.leftOut = [
            "ask_password", "ciphers", "connections", "disable_hashcheck", "host_key_algorithms", "http_proxy",
            "key_exchange", "key_use_agent", "macs", "md5sum_command", "server_command", "set_env", "sha1sum_command",
            "shell_type", "socks_proxy", "subsystem", "use_fstat", "use_insecure_cipher",
        ]
        return rule
    }()

    private static func secret(
        in section: RcloneSection
    ) -> (secret: FileProviderCredential.Secret?, notes: [String]) {
        if let key = section.value("key_pem") { return (.token(key.replacingOccurrences(of: "\\n", with: "\n")), []) }
        // With a file, the passphrase that opens it.
        return section.password(section.value("key_file") == nil ? "pass" : "key_file_pass")
    }
}
#endif
