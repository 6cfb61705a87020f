public import FerryCore
public import Foundation

/// The files of this machine, below a base folder.
///
/// No path and no symbolic link leads out of the base folder; a base of `/` is the whole machine. Names that are not
/// valid UTF-8 come and go unchanged (see `NameEscape`). Blocking calls run on threads of their own.
///
/// ```swift
/// let files = LocalFileProvider(baseURL: URL(filePath: "/srv/files"))
/// try await files.copyItem(path: "/report.pdf", to: "/archive/report.pdf")
/// ```
public final class LocalFileProvider: FileProviderBasic, Sendable {
    /// `local`.
    public static let type = "local"

    /// The base folder's URL.
    public let baseURL: URL?

    /// Nobody asks who we are: always `nil`.
    public var credential: FileProviderCredential? { nil }

    /// Queues, delegates and logger of this provider.
    public let environment: FileProviderEnvironment

    /// Indicates whether a write returns only when the bytes would survive a loss of power, even if its options don't
    /// ask for it.
    public let synchronizes: Bool

    /// Indicates whether work on files waits its turn among other processes (`NSFileCoordinator`); always `false` but
    /// on Apple's systems.
    public let isCoordinating: Bool

    let base: BaseFolder
    let pool: BlockingPool
    let trashes: TrashFolders
    let asides: AsideFolders
    let turns: FileTurns
    #if os(Linux)
    let watchLoop = WatchLoop.shared
    #endif

    /// Shows the files below a folder.
    ///
    /// - Parameters:
    ///   - baseURL: The base folder's `file:` URL. It need not exist yet: until it does, the root throws
    ///     `CocoaError.fileNoSuchFile` and all else `.fileReadUnknown` or `.fileWriteUnknown`, since a disk that is not
    ///     mounted says nothing about its files. So it is for ever with any other URL.
    ///   - synchronizes: `true` if a write returns only when the bytes would survive a loss of power.
    ///   - environment: Queues, delegates and logger.
    public convenience init(
        baseURL: URL,
        synchronizes: Bool = false,
        environment: FileProviderEnvironment = FileProviderEnvironment()
    ) {
        self.init(
            base: BaseFolder(path: baseURL.localPath),
            baseURL: baseURL,
            synchronizes: synchronizes,
            pool: .shared,
            environment: environment
        )
    }

    /// Shows the whole machine to a command that is given names: a link is written to as itself, never through it.
    ///
    /// - Parameter environment: Queues, delegates and logger.
    package convenience init(forNamesOnThisMachine environment: FileProviderEnvironment = FileProviderEnvironment()) {
        self.init(base: BaseFolder(path: "/", writesThroughLinks: false), environment: environment)
    }

    /// Opens a folder once: from then on all below it is reached through what was opened, and no link leads out of it,
    /// whatever somebody makes of the path meanwhile.
    ///
    /// - Parameter folder: The folder, by a path without links. If it isn't there yet, it is opened when something below it
    ///   is first wanted; of the root, nothing is outside. If it is a link then, all below it is
    ///   `CocoaError.fileReadNoPermission` or `.fileWriteNoPermission`.
    /// - Throws: `CocoaError.fileReadInvalidFileName` for what can't be a path here; `CancellationError`.
    package func hold(_ folder: ItemPath) async throws {
        try await run { [base] in
            try mapping(.reading, folder) { try base.hold(folder) }
        }
    }

    init(
        base: BaseFolder,
        baseURL: URL? = nil,
        synchronizes: Bool = false,
        isCoordinating: Bool = false,
        pool: BlockingPool = .shared,
        trashes: TrashFolders = TrashFolders(),
        asides: AsideFolders = AsideFolders(),
        environment: FileProviderEnvironment = FileProviderEnvironment()
    ) {
        self.base = base
        self.baseURL = baseURL ?? URL(filePath: base.path, directoryHint: .isDirectory)
        self.synchronizes = synchronizes
        self.isCoordinating = isCoordinating
        self.pool = pool
        turns = FileTurns(pool)
        self.trashes = trashes
        self.asides = asides
        self.environment = environment
    }

    /// The abilities of files of this machine.
    public var capabilities: FileProviderCapabilities {
        var capabilities = FileProviderCapabilities()
        capabilities.readsRanges = true
        capabilities.copiesOnServer = true
        capabilities.writesAtomically = true
        capabilities.createsExclusively = true
        capabilities.writesConditionally = true
        capabilities.setsModifiedDate = true
        capabilities.datePrecision = .microseconds(1)  // the system has nanoseconds, a `Date` of our time does not
        capabilities.isCaseSensitive = Self.isCaseSensitive
        capabilities.writesThroughLinks = base.writesThroughLinks
        capabilities.distinguishesNormalizationForms = Self.distinguishesNormalizationForms
        capabilities.maximumNameLength = 255
        capabilities.forbiddenCharacters = "/\0"
        return capabilities
    }
}

extension URL {
    /// The path as the system has it, absolute and without a slash at the end; empty, which leads nowhere, for a URL
    /// that is none of a file.
    var localPath: String {
        guard isFileURL else { return "" }
        return absoluteURL.withUnsafeFileSystemRepresentation { path in
            var path = path.map { String(cString: $0) } ?? ""
            while path.count > 1, path.hasSuffix("/") { path.removeLast() }
            return path
        }
    }
}

extension LocalFileProvider: RestorableFileProvider {
    private static let synchronizesKey = "synchronizes"

    /// The description from which this provider is made again: its base folder and options.
    public var configuration: ProviderConfiguration {
        ProviderConfiguration(
            type: Self.type,
            baseURL: baseURL,
            options: synchronizes ? [Self.synchronizesKey: "true"] : [:]
        )
    }

    /// Makes a provider.
    ///
    /// - Parameters:
    ///   - configuration: From ``configuration``, in this process or another.
    ///   - credentials: Nothing is asked of it.
    ///   - environment: Queues, delegates and logger.
    /// - Throws: `CocoaError.coderInvalidValue` when the configuration is of another type, or has no `file:` URL.
    public convenience init(
        configuration: ProviderConfiguration,
        credentials: any CredentialStore,
        environment: FileProviderEnvironment
    ) throws {
        let url = try configuration.url(of: Self.type, "a local folder")
        guard url.isFileURL else { throw CocoaError.misconfigured("the URL of a local folder begins with file:") }
        let synchronizes = configuration.options[Self.synchronizesKey] == "true"
        self.init(baseURL: url, synchronizes: synchronizes, environment: environment)
    }
}
