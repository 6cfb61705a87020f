public import Foundation

/// The settings by which a server is reached over SSH, beside its URL; all else is in the person's own `~/.ssh/config`.
public struct SFTPOptions: Sendable, Hashable {
    /// The program that makes the line: a path, or a name that is looked for in `PATH`.
    public var program = "ssh"

    /// The configuration file that the program reads in place of `~/.ssh/config` and `/etc/ssh/ssh_config`.
    public var configurationFile: String?

    /// Fingerprints of the server's key (`SHA256:…`), one of which it must have; known hosts don't count then.
    public var fingerprints: [String] = []

    /// Files with private keys, which alone are tried besides an agent's keys of the same names.
    public var keyFiles: [String] = []

    /// The file of known hosts that is read and written in place of `~/.ssh/known_hosts`.
    public var knownHostsFile: String?

    /// Lines at the same time, at most; they share one login.
    public var connections = 4

    /// The path at which the server's shell has the files, if that is not where SFTP shows them: put before a path as
    /// seen from the base folder, or, with an `@` before it, before the whole path.
    public var pathOverride: String?

    /// The folder on this machine in which the line's own files are made; `nil` for one of the system's.
    public var temporaryFolder: URL?

    /// The permissions of new files; `nil` for those that the server gives.
    public var filePermissions: UInt16?

    /// User and group of new files, by their numbers; `nil` for those that the server gives.
    public var owner: Owner?

    /// The time that the server may be silent while it owes an answer.
    public var timeout: Duration = .seconds(60)

    /// User and group by their numbers.
    public struct Owner: Sendable, Hashable {
        /// The user.
        public var user: UInt32
        /// The group.
        public var group: UInt32

        /// Makes a value.
        ///
        /// - Parameters:
        ///   - user: The user.
        ///   - group: The group.
        public init(user: UInt32, group: UInt32) {
            self.user = user
            self.group = group
        }
    }

    /// Makes the usual options.
    public init() {}
}
