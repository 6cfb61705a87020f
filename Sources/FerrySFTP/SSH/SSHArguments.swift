import Foundation

/// The arguments with which `ssh` is called.
struct SSHArguments: Sendable, Hashable {
    let target: SSHTarget
    let options: SFTPOptions

    /// The socket by which further lines share the first one's login; `nil` for lines of their own.
    var controlPath: String?

    /// Indicates whether that login is one of the person's own sessions, which can end at any time: then the line may
    /// log in itself.
    var isLoginOfPerson = false

    /// The files that a login needs.
    var loginFolder: SSHLoginFolder?

    /// The arguments of the question before anything else: the configuration that would be used.
    var forConfiguration: [String] { ["-G"] + common + destination }

    /// A line of SFTP with a login of its own, whose master it is.
    var forLogin: [String] { common + login + control(isMaster: true) + ["-s"] + destination + ["sftp"] }

    /// A further line of SFTP, by the login of the first.
    var forFurtherLine: [String] { common + sharing + ["-s"] + destination + ["sftp"] }

    /// A command in the server's shell, by the login of the first line.
    ///
    /// - Parameter command: The command for the shell.
    /// - Returns: The arguments.
    func forCommand(_ command: String) -> [String] {
        common + sharing + destination + [command]
    }

    /// The use of a login that exists.
    ///
    /// Where that has ended, `ssh` would make a connection of its own: it has what a login needs then, or nothing to connect
    /// by.
    private var sharing: [String] {
        control(isMaster: false) + (isLoginOfPerson ? login : ["-o", "ProxyCommand=false"])
    }

    private var destination: [String] { ["--", target.host] }

    private var common: [String] {
        var arguments: [String] = []
        if let file = options.configurationFile { arguments += ["-F", file] }
        // Nothing but the bytes of this line, whatever the configuration wants of people's sessions. What the server says
        // to people at the login is no error.
        arguments += [
            "-T", "-a", "-x", "-e", "none", "-o", "ClearAllForwardings=yes", "-o", "PermitLocalCommand=no",
            "-o", "RemoteCommand=none", "-o", "LogLevel=ERROR",
        ]
        if let user = target.user { arguments += ["-l", user] }
        if let port = target.port { arguments += ["-p", String(port)] }
        return arguments
    }

    private var login: [String] {
        // A person who has one password has one; who is wrong hears it at once.
        var arguments = [
            "-o", "NumberOfPasswordPrompts=1", "-o", "ConnectTimeout=\(max(1, options.timeout.components.seconds))",
        ]
        for file in options.keyFiles + (loginFolder?.keyFile.map { [$0] } ?? []) {
            arguments += ["-o", "IdentityFile=\(Self.quoted(file))", "-o", "IdentitiesOnly=yes"]
        }
        if !options.fingerprints.isEmpty, let script = loginFolder?.fingerprintScript {
            arguments += [
                "-o", "KnownHostsCommand=\(script) %f %H %t %K", "-o", "UserKnownHostsFile=/dev/null",
                "-o", "GlobalKnownHostsFile=/dev/null", "-o", "StrictHostKeyChecking=yes",
            ]
        } else if let file = options.knownHostsFile {
            arguments += ["-o", "UserKnownHostsFile=\(Self.quoted(file))"]
        }
        return arguments
    }

    private func control(isMaster: Bool) -> [String] {
        guard let controlPath else { return ["-o", "ControlMaster=no", "-o", "ControlPath=none"] }
        return [
            "-o", "ControlMaster=\(isMaster ? "yes" : "no")", "-o", "ControlPath=\(Self.quoted(controlPath))",
            "-o", "ControlPersist=no",
        ]
    }

    /// A file's name as a value of an option: with a `%` it would begin an abbreviation, and spaces would end it.
    static func quoted(_ file: String) -> String {
        "\"\(file.replacingOccurrences(of: "%", with: "%%"))\""
    }
}
