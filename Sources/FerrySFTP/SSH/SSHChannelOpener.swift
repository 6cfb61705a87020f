#if os(Linux) || os(macOS)
import FerryCore
import FerryProcess
import Foundation
import Logging
import NIOCore
import Synchronization

/// Makes lines by the system's `ssh`: the first one logs in, the others share that login.
actor SSHChannelOpener: SFTPChannelOpener {
    private let target: SSHTarget
    private let options: SFTPOptions
    private let secrets: SSHSecrets
    private let environment: [String: String]
    private let logger: Logger

    /// The line whose login the others share, as long as somebody has it.
    private weak var master: SSHChannel?
    private var shared: SSHArguments?
    private var configuration: SSHConfiguration?
    private var isShutDown = false

    /// Makes an opener; nothing is started.
    ///
    /// - Parameters:
    ///   - target: Whom to reach.
    ///   - options: How.
    ///   - secrets: The secrets that answer questions.
    ///   - environment: The variables of this process: `PATH`, `SSH_AUTH_SOCK` …
    ///   - logger: Where it says what is started.
    init(
        target: SSHTarget,
        options: SFTPOptions,
        secrets: SSHSecrets,
        environment: [String: String] = ProcessInfo.processInfo.environment,
        logger: Logger
    ) {
        self.target = target
        self.options = options
        self.secrets = secrets
        self.environment = environment
        self.logger = logger
    }

    func openChannel(to receiver: any SFTPReceiver) async throws -> any SFTPChannel {
        if isShutDown { throw CancellationError() }
        // One that has ended may be held for a moment yet, by who tells why.
        if let shared, let master, !master.isOver {
            return try await start(shared.forFurtherLine, login: nil, to: receiver)
        }
        return try await logIn(receiver)
    }

    private func logIn(_ receiver: any SFTPReceiver) async throws -> any SFTPChannel {
        let configuration = try await readConfiguration()
        let folder = try SSHLoginFolder(
            in: options.temporaryFolder,
            key: secrets.key,
            fingerprints: options.fingerprints
        )
        var arguments = SSHArguments(target: target, options: options)
        arguments.loginFolder = folder
        // Where the person's own sessions share a login that exists, it is this one's, too; but whose key it has seen can't
        // be asked of it.
        let shares = options.fingerprints.isEmpty
        let own = configuration.controlPath.flatMap { shares && access($0, F_OK) == 0 ? $0 : nil }
        arguments.controlPath = own ?? folder.controlPath
        arguments.isLoginOfPerson = own != nil
        await secrets.belong(to: configuration.hosts)
        let conversation = try await SSHConversation.begin(in: folder, secrets: secrets)
        let line: SSHChannel
        if own == nil {
            var words = arguments.forLogin
            if configuration.trustsChangedKeys, options.fingerprints.isEmpty {
                words = ["-o", "StrictHostKeyChecking=accept-new"] + words
            }
            line = try await start(words, login: (folder, conversation), to: receiver)
        } else {
            line = try await start(arguments.forFurtherLine, login: (folder, conversation), to: receiver)
        }
        master = line
        shared = arguments
        return line
    }

    private func start(
        _ arguments: [String],
        login: (folder: SSHLoginFolder, conversation: SSHConversation)?,
        to receiver: any SFTPReceiver
    ) async throws -> SSHChannel {
        let program = try self.program()
        logger.debug("a line is made", metadata: ["program": "\(program)", "host": "\(target.words)"])
        let place = target.words
        return try await SSHChannel.start(
            program,
            arguments,
            environment: variables(login?.folder),
            conversation: login?.conversation,
            folder: login?.folder ?? shared?.loginFolder,
            to: receiver
        ) { [weak receiver] failure in
            failure.mapped(place: place, isLoggedIn: (receiver as? SFTPConnection)?.hasSpoken ?? false)
        }
    }

    private func variables(_ folder: SSHLoginFolder?) -> [String: String] {
        var variables = environment
        // Nobody else may be asked.
        variables["SSH_ASKPASS_REQUIRE"] = "force"
        variables["SSH_ASKPASS"] = folder?.askpassProgram ?? "/bin/false"
        return variables
    }

    private func program() throws -> String {
        guard let path = ChildProgram.find(options.program, environment: environment) else {
            throw CocoaError(
                .executableNotLoadable,
                userInfo: [
                    NSFilePathErrorKey: options.program,
                    NSLocalizedDescriptionKey: "the program '\(options.program)' is missing",
                    NSLocalizedRecoverySuggestionErrorKey:
                        "install OpenSSH's client (Debian: openssh-client), or name another with the option 'ssh'",
                ]
            )
        }
        return path
    }

    /// Asks the program what the person's configuration says.
    private func readConfiguration() async throws -> SSHConfiguration {
        if let configuration { return configuration }
        let arguments = SSHArguments(target: target, options: options).forConfiguration
        let output = try await SSHCommand.run(
            try program(),
            arguments,
            environment: variables(nil),
            patience: options.timeout
        )
        guard output.exitCode == 0 else {
            throw SSHFailure(exitCode: output.exitCode, words: output.errors)
                .mapped(place: target.words, isLoggedIn: false)
        }
        let configuration = SSHConfiguration(String(decoding: output.bytes, as: UTF8.self))
        self.configuration = configuration
        return configuration
    }

    /// Runs a command in the server's shell, by the login of a line that is there.
    ///
    /// - Parameters:
    ///   - command: The command for the shell.
    ///   - input: The bytes that the command reads.
    /// - Returns: The command's output; `nil` where the lines have no login that can be shared.
    /// - Throws: Why it can't be run; `CancellationError`.
    func run(_ command: String, input: [UInt8] = []) async throws -> SSHCommand.Output? {
        guard let shared, let master, !master.isOver else { return nil }
        let output = try await SSHCommand.run(
            try program(),
            shared.forCommand(command),
            environment: variables(nil),
            input: input,
            patience: options.timeout
        )
        _ = master
        return output
    }

    func shutdown() async {
        isShutDown = true
        shared = nil
        master = nil
    }
}
#endif
