public import Foundation

/// A kind of storage, as a program that offers many of them needs to know it: its name, its options, how to log in and
/// how to open it.
///
/// Each provider's target exports the kinds that it serves, such as `StorageKind.webDAV`:
///
/// ```swift
/// let kinds: [StorageKind] = [.webDAV, .nextcloud, .sftp, .ftp]
/// let kind = kinds.first { $0.type == configuration.type }
/// let provider = try await kind?.open(configuration, StorageOpening(credentials: store))
/// ```
public struct StorageKind: Sendable {
    /// Opens a storage; nothing is sent unless ``StorageKind/asksWhenOpened`` is set and the configuration lacks what
    /// the server has to say.
    public typealias Opener =
        @Sendable (_ configuration: ProviderConfiguration, _ opening: StorageOpening) async throws ->
        any FileProviderBasic

    /// Derives a configuration that can be opened without a request, for work without a connection.
    ///
    /// `isGuess` is `true` for a configuration that was derived from a URL alone. The result is `nil` when too little is
    /// known.
    public typealias OfflineRule =
        @Sendable (_ configuration: ProviderConfiguration, _ isGuess: Bool) -> ProviderConfiguration?

    /// The identifier in configurations: ``FileProviderBasic/type``.
    public let type: String

    /// The name to show, such as `WebDAV`.
    public let displayName: String

    /// One sentence about it, without a full stop.
    public let summary: String

    /// The URLs that lead to it; `nil` for a storage without a URL, which has one place for everybody.
    public var addressing: StorageAddressing?

    /// The options of a configuration, in the order in which a person would be asked for them.
    public var options: [StorageOption] = []

    /// The ways to log in, the usual one first.
    public var logins: [StorageLogin] = [.none]

    /// The arguments of example commands that make a remote, without the command's own name.
    public var examples: [String] = []

    /// The sections of an `rclone.conf` that describe such a storage; `nil` if there are none.
    public var rclone: RcloneRule?

    /// A Boolean value that indicates whether a test of such a storage tries each ability, in a folder of its own, unless
    /// the person says otherwise: for services that the provider was proven against by emulation only.
    public var isTriedInFull = false

    /// Indicates whether a storage that is opened for the first time asks its server about itself, for which it needs the
    /// login.
    public var asksWhenOpened = false

    /// Indicates whether there is one such storage in each process, which needs no configuration.
    public var needsNoConfiguration = false

    /// The rule for work without a connection; as a rule a configuration is good as it is.
    public var offline: OfflineRule = { configuration, _ in configuration }

    /// The function that opens a storage.
    public let open: Opener

    /// Makes a kind without options that is used without a login.
    ///
    /// - Parameters:
    ///   - type: The identifier in configurations.
    ///   - displayName: The name to show.
    ///   - summary: One sentence about it, without a full stop.
    ///   - open: The function that opens a storage.
    public init(type: String, displayName: String, summary: String, open: @escaping Opener) {
        self.type = type
        self.displayName = displayName
        self.summary = summary
        self.open = open
    }

    /// A server is of another kind than a guess from its URL said.
    public struct Mismatch: Error {
        /// Makes the error.
        public init() {}
    }
}

extension StorageKind {
    /// Returns the option of a name.
    ///
    /// - Parameter name: The key in configurations.
    /// - Returns: The option; `nil` if there is none of that name.
    public func option(named name: String) -> StorageOption? { options.first { $0.name == name } }

    /// Indicates whether a program of its own logs in, which asks for a password only when it needs one.
    public var logsInByProgram: Bool {
        logins.contains { if case .program = $0 { true } else { false } }
    }

    /// Indicates whether a user's password can be a way to log in.
    public var takesPassword: Bool {
        logins.contains { if case .password = $0 { true } else { false } }
    }

    /// Indicates whether a token that a person has got elsewhere can be a way to log in.
    public var takesToken: Bool {
        logins.contains { if case .token = $0 { true } else { false } }
    }

    /// The login by OAuth 2, if there is one.
    public var oauth2: StorageOAuth2? {
        for case .oauth2(let oauth) in logins { return oauth }
        return nil
    }

    /// The login in a browser, if there is one.
    public var browserLogin: StorageLogin.BrowserLoginStarter? {
        for case .browser(let begin) in logins { return begin }
        return nil
    }

    /// Checks options against those that this kind has.
    ///
    /// - Parameter values: The options of a configuration.
    /// - Throws: `CocoaError.fileReadInvalidFileName` for an option that does not exist, or a value that it can't have.
    public func check(_ values: [String: String]) throws {
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            guard let option = option(named: name) else {
                // Its value may be a secret that was meant for something else.
                throw CocoaError.location(
                    name,
                    "a storage of type '\(type)' knows no such option",
                    "it knows: " + options.filter { !$0.isLearned }.map(\.name).joined(separator: ", ")
                )
            }
            guard option.accepts(value) else {
                throw CocoaError.location(
                    "\(name)=\(value)",
                    "not a value of the option '\(name)'",
                    "it can be \(option.value.words)"
                )
            }
        }
    }
}

/// The surroundings in which a storage is opened.
public struct StorageOpening: Sendable {
    /// The store of its secrets.
    public var credentials: any CredentialStore

    /// Queues, delegates and logger.
    public var environment: FileProviderEnvironment

    /// The folder in which providers remember upload sessions that are under way, so that a later process can go on with
    /// them; `nil` to remember them as long as the provider lives.
    ///
    /// A transfer's journal needs it at OneDrive, whose sessions have addresses that are no journal's business; without a
    /// journal, ``FileProviderOperations/copyItem(localFile:to:overwrite:reporting:)`` goes on by it.
    public var uploadsFolder: URL?

    /// The one who answers questions that a program or server asks while it logs in; `nil` if nobody is to be asked.
    public var person: (any LoginQuestionAnswering)?

    /// Indicates whether the kind was guessed from a URL: an opener throws ``StorageKind/Mismatch`` then if the server is
    /// of another kind.
    public var isGuess = false

    /// Makes surroundings.
    ///
    /// - Parameters:
    ///   - credentials: The store of its secrets.
    ///   - environment: Queues, delegates and logger.
    ///   - uploadsFolder: The folder in which uploads that are under way are remembered.
    ///   - person: The one who answers questions.
    ///   - isGuess: `true` if the kind was guessed from a URL.
    public init(
        credentials: any CredentialStore = MemoryCredentialStore(),
        environment: FileProviderEnvironment = FileProviderEnvironment(),
        uploadsFolder: URL? = nil,
        person: (any LoginQuestionAnswering)? = nil,
        isGuess: Bool = false
    ) {
        self.credentials = credentials
        self.environment = environment
        self.uploadsFolder = uploadsFolder
        self.person = person
        self.isGuess = isGuess
    }
}
