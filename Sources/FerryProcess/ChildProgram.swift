#if os(Linux) || os(macOS)
import Foundation

/// A program of another process, and all that it is started with.
package struct ChildProgram: Sendable {
    /// The part of the terminal's world that a child shares with us.
    package enum Isolation: Sendable, Hashable {
        /// All of it: Ctrl-C reaches the child, too.
        case none
        /// The terminal, but not our process group: Ctrl-C reaches only us.
        case group
        /// Nothing: a session of its own, which can't ask at our terminal either.
        case session
    }

    let path: String
    let arguments: [String]
    let environment: [String: String]
    let folder: String?
    let isolation: Isolation

    /// Describes a program, and starts nothing.
    ///
    /// - Parameters:
    ///   - path: The path of its file.
    ///   - arguments: Its arguments, without its name.
    ///   - environment: All of its variables.
    ///   - folder: The path of the folder that it runs in; `nil` for ours.
    ///   - isolation: The part of the terminal's world that it shares with us.
    package init(
        path: String,
        arguments: [String] = [],
        environment: [String: String],
        folder: String? = nil,
        isolation: Isolation = .group
    ) {
        self.path = path
        self.arguments = arguments
        self.environment = environment
        self.folder = folder
        self.isolation = isolation
    }

    /// Returns the place of a program.
    ///
    /// - Parameters:
    ///   - program: A path, or a name.
    ///   - environment: The environment whose `PATH` counts; one without it has the system's usual folders.
    /// - Returns: A path; `nil` if there is no such program.
    package static func find(_ program: String, environment: [String: String]) -> String? {
        guard program.contains("/") else {
            return find(program, searchPath: environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin")
        }
        let path = (program as NSString).expandingTildeInPath
        return isProgram(path) ? path : nil
    }

    /// Returns the place of a program in the folders of a search path.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - searchPath: The folders' paths, with colons between them. Relative ones are passed over, since they would
    ///     mean another program in each folder.
    /// - Returns: An absolute path; `nil` if there is no such program.
    package static func find(_ name: String, searchPath: String) -> String? {
        let folders = searchPath.split(separator: ":").filter { $0.hasPrefix("/") }
        return folders.lazy.map { "\($0)/\(name)" }.first(where: isProgram)
    }

    /// Returns `true` if a path leads to a regular file that we may execute.
    ///
    /// - Parameter path: The path; links are followed.
    /// - Returns: `false` for a folder, too.
    package static func isProgram(_ path: String) -> Bool {
        var facts = stat()
        return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }

    /// Starts the program, as ``ChildProcess`` says, and returns the number of its process.
    func start(input: CInt?, output: CInt?, errors: CInt?) throws -> Int32 {
        var actions = ProcessSystem.noActions
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let streams = [
            (input, STDIN_FILENO, O_RDONLY), (output, STDOUT_FILENO, O_WRONLY), (errors, STDERR_FILENO, O_WRONLY),
        ]
        for (descriptor, target, mode) in streams {
            if let descriptor {
                posix_spawn_file_actions_adddup2(&actions, descriptor, target)
            } else {
                posix_spawn_file_actions_addopen(&actions, target, "/dev/null", mode, 0)
            }
        }
        ProcessSystem.closeOthers(&actions)
        if let folder { ProcessSystem.enter(folder, &actions) }

        var attributes = ProcessSystem.noAttributes
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        let place: CInt =
            switch isolation {
            case .none: 0
            case .group: CInt(POSIX_SPAWN_SETPGROUP)
            case .session: ProcessSystem.newSession
            }
        let signals = CInt(POSIX_SPAWN_SETSIGMASK) | CInt(POSIX_SPAWN_SETSIGDEF)
        posix_spawnattr_setflags(&attributes, Int16(signals | place | ProcessSystem.closesOthers))

        var pid: Int32 = 0
        let code = Self.withCStrings([path] + arguments) { arguments in
            Self.withCStrings(environment.map { "\($0.key)=\($0.value)" }) { variables in
                posix_spawn(&pid, path, &actions, &attributes, arguments, variables)
            }
        }
        guard code == 0 else { throw POSIXError(.init(rawValue: code) ?? .EIO) }
        return pid
    }

    /// Lends texts to C, as a list that ends with null.
    private static func withCStrings<Result>(
        _ texts: [String],
        _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = texts.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }
}
#endif
