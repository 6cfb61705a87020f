import FerryCache
import FerryCore
import FerryMedia
import FerryUndo
import Foundation
import Logging

/// Opens the storages that locations name, each once.
final class Storages {
    /// The remotes that have names.
    let remotes: RemoteRegistry

    /// Where their secrets are.
    let secrets: RemoteSecrets

    /// Asks for a password that is not stored.
    let passwords: PasswordSource

    /// The environment of the providers.
    let providerEnvironment: FileProviderEnvironment

    /// The folder of upload sessions that the journal can't hold.
    let uploads: URL

    /// The cache of remotes on this machine.
    let cache: RemoteCache

    /// Copies of what was replaced or removed on storages that keep nothing themselves.
    let shadow: ShadowStore

    private let recorder: HistoryRecorder?
    let cacheUse: CacheUse
    private let media: MediaGenerator?
    private let paths: LocalPaths
    private(set) var opened: [String: any Storage] = [:]
    /// The prefixes of URLs that looked like those of a richer kind of storage, and whose servers are of the plainer one.
    var plainServers: Set<String> = []
    /// The accounts of remotes, by their prefixes.
    private var accounts: [String: CacheAccount] = [:]

    /// Begins without any storage.
    ///
    /// - Parameters:
    ///   - environment: The environment's variables: where the remotes are, the password of one without a name.
    ///   - logger: Where providers log; nowhere when `nil`.
    ///   - currentFolder: Where relative local paths begin; the process's own folder when `nil`.
    ///   - cacheUse: The use that is made of the cache of remotes.
    ///   - recorder: Writes down what is done; `nil` if nobody does.
    ///   - media: The maker of thumbnails and reader of files' properties; `nil` if neither is wanted.
    ///   - waits: The watch that notes what servers have not answered yet.
    init(
        environment: [String: String],
        logger: Logger? = nil,
        currentFolder: String? = nil,
        cacheUse: CacheUse = .none,
        recorder: HistoryRecorder? = nil,
        media: MediaGenerator? = nil,
        waits: WaitWatch? = nil
    ) {
        self.recorder = recorder
        self.cacheUse = cacheUse
        self.media = media
        let folders = UserFolders(environment: environment)
        cache = RemoteCache(folders: folders, environment: environment, logger: logger)
        remotes = RemoteRegistry(folders: folders)
        uploads = folders.uploads
        shadow = ShadowStore(folder: folders.shadow)
        secrets = RemoteSecrets(folders: folders, environment: environment)
        passwords = PasswordSource(environment: environment)
        providerEnvironment = FileProviderEnvironment(logger: logger, waits: waits)
        paths = LocalPaths(currentFolder: currentFolder)
    }

    /// Finds out what a person means.
    ///
    /// - Parameter text: A local path, `NAME:path`, or a URL.
    /// - Returns: The location; whether anything is there is not asked.
    /// - Throws: `CocoaError` that names the text: an unknown storage, a `..` that leads nowhere.
    func location(_ text: String) async throws -> Location {
        guard !text.isEmpty else {
            throw CocoaError.location("''", "a location can't be empty", "name a file or folder, such as '.'")
        }
        switch LocationSyntax(text) {
        case .local(let path):
            do {
                let absolute = try paths.absolutePath(path)
                return Location(text: text, storage: local(), prefix: "", path: absolute)
            } catch let error as CocoaError {
                throw error.naming(text)
            }
        case .storage(let name, let path):
            guard let path = ItemPath(path) else {
                throw CocoaError.location(text, "not a valid path", "'..' can't lead above the top of a storage")
            }
            let storage = try await storage(named: name, in: text)
            return Location(text: text, storage: storage, prefix: name + ":", path: path)
        case .address(let text):
            let address = try WebAddress(text)
            if let guess = try await guess(at: address, in: text) { return guess }
            let storage = try await storage(at: address, in: text)
            return Location(text: text, storage: storage, prefix: address.prefix, path: address.path)
        }
    }

    /// Makes the provider of a remote; nothing is sent.
    ///
    /// - Parameter remote: The remote.
    /// - Returns: The provider; it has no secret if none is stored and nobody asks for it.
    /// - Throws: Errors of the provider; `URLError.userAuthenticationRequired` when there is no secret.
    func provider(of remote: Remote) async throws -> any FileProviderBasic {
        let configuration = remote.configuration
        let kind = try StorageKind.named(configuration.type)
        let own = secrets.own(remote)
        let asking = AskingCredentialStore(
            stored: own,
            passwords: passwords,
            configuration: configuration,
            advice: configuration.oauth2 != nil
                ? "log in with 'ferry remote login \(remote.name)'"
                : "give it with 'ferry remote login \(remote.name)', or in \(PasswordSource.variable)"
        )
        var opening = opening(kind.logsInByProgram ? own : asking)
        opening.person = LoginAnswers(passwords: passwords)
        let provider = try await kind.open(configuration, opening)
        await keepFacts(of: remote, from: provider)
        return provider
    }

    /// Surroundings for a storage that is opened here.
    ///
    /// - Parameter credentials: The store of its secrets.
    /// - Returns: The surroundings, in which nobody answers questions.
    func opening(_ credentials: any CredentialStore) -> StorageOpening {
        StorageOpening(credentials: credentials, environment: providerEnvironment, uploadsFolder: uploads)
    }

    /// Writes down what a server had to be asked about itself, as after an import, so that later runs need not.
    ///
    /// URL and user stay as they are: the secret is stored under them.
    ///
    /// - Parameters:
    ///   - remote: The remote, as it is written down.
    ///   - provider: The provider that was made of it.
    ///   - keys: Options that are written down anew if they have changed; others stay as they are.
    func keepFacts(
        of remote: Remote,
        from provider: any FileProviderBasic,
        replacing keys: Set<String> = []
    ) async {
        guard let known = (provider as? any ConfigurableFileProvider)?.configuration.options,
            let learned = remote.configuration.kind?.learnedOptions
        else { return }
        let written = remote.configuration.options
        let new = known.filter { key, value in
            guard learned.contains(key) else { return false }
            return keys.contains(key) ? written[key] != value : written[key] == nil
        }
        if new.isEmpty { return }
        do {
            try await remotes.update { file in
                guard var current = try file.remote(named: remote.name), current == remote else { return }
                current.configuration.options.merge(new) { $1 }
                file.set(current)
            }
        } catch {
            // It is only asked again next time: that a file can't be written is no reason not to work.
            let logger = providerEnvironment.logger
            logger.debug("what the server is could not be written down", metadata: ["remote": "\(remote.name)"])
        }
    }

    /// Writes down what was found out about a remote's server while it was used, so that later runs know it.
    ///
    /// - Parameter location: Anything on the remote; what is no remote is left out.
    func keepLearnt(at location: Location) async {
        guard location.prefix.hasSuffix(":"),
            let provider = location.storage as? any FileProviderServerDescribing,
            provider.hasTriedServer
        else { return }
        do {
            guard let remote = try await remotes.remote(named: String(location.prefix.dropLast())) else { return }
            await keepFacts(of: remote, from: provider, replacing: remote.configuration.kind?.learnedOptions ?? [])
        } catch {
            // It is only found out again next time.
            providerEnvironment.logger.debug("the remotes can't be read", metadata: ["error": "\(type(of: error))"])
        }
    }

    private func local() -> any Storage {
        if let storage = opened[""] { return storage }
        let files = localFiles()
        let storage = recorder == nil ? pictured(files) : recorded(files, prefix: "")
        opened[""] = storage
        return storage
    }

    /// The same storage, of which what is done on it is written down; and of which nobody sees what is set aside there.
    private func recorded(_ storage: any Storage, prefix: String, isUndoable: Bool = true) -> any Storage {
        let recorder = isUndoable ? recorder : nil
        return recorder?.recording(storage, prefix: prefix, shadow: shadow) ?? Self.hiding(storage)
    }

    private static func hiding<Base: Storage>(_ base: Base) -> any Storage { UndoableFileProvider(hidingIn: base) }

    private func storage(named name: String, in text: String) async throws -> any Storage {
        if let storage = opened[name] { return storage }
        let storage: any Storage
        if let kind = StorageKind.builtIn(name) {
            let configuration = ProviderConfiguration(type: kind.type)
            storage = pictured(try Self.usable(await kind.open(configuration, StorageOpening()), text))
        } else {
            guard let remote = try await remotes.remote(named: name) else {
                throw CocoaError.unknownRemote(name, in: text)
            }
            storage = recorded(
                try await kept(
                    Self.usable(cacheUse.isOffline ? unasked(remote) : provider(of: remote), text),
                    of: remote.configuration,
                    remote: name,
                    prefix: name + ":",
                    isWanted: remote.isCached
                ),
                prefix: name + ":",
                isUndoable: remote.isUndoable
            )
        }
        opened[name] = storage
        return storage
    }

    private func storage(at address: WebAddress, in text: String) async throws -> any Storage {
        if let storage = opened[address.prefix] { return storage }
        let configuration = ProviderConfiguration(
            type: address.kind.type,
            baseURL: address.root,
            user: address.user
        )
        return try await storage(configuration, at: address, prefix: address.prefix, in: text)
    }

    /// Makes the storage that a URL leads to.
    ///
    /// - Parameters:
    ///   - configuration: The configuration, as far as it is known.
    ///   - address: The URL.
    ///   - prefix: The prefix of its locations.
    ///   - text: The URL, as a person wrote it.
    /// - Returns: The storage, which is opened once.
    /// - Throws: `StorageKind.Mismatch` if it is something else; errors of the provider.
    func storage(
        _ configuration: ProviderConfiguration,
        at address: WebAddress,
        prefix: String,
        in text: String
    ) async throws -> any Storage {
        // A remote's password is that remote's, even if it is at the same server with the same user.
        var credentials: any CredentialStore = MemoryCredentialStore()
        if !cacheUse.isOffline {
            let asking = AskingCredentialStore(
                stored: credentials,
                passwords: passwords,
                configuration: configuration,
                advice: "give it in \(PasswordSource.variable), or make a remote with 'ferry remote add'"
            )
            if !address.kind.logsInByProgram { credentials = asking }
        }
        var opening = opening(credentials)
        opening.person = cacheUse.isOffline ? nil : LoginAnswers(passwords: passwords)
        opening.isGuess = true
        let provider = try await StorageKind.open(configuration, opening)
        let storage = try await kept(
            Self.usable(provider, text),
            of: configuration,
            remote: nil,
            prefix: prefix,
            isWanted: true
        )
        let recording = recorded(storage, prefix: prefix)
        opened[prefix] = recording
        return recording
    }

    /// Makes the provider of a remote that will not be asked: it needs no secret.
    func unasked(_ remote: Remote) async throws -> any FileProviderBasic {
        let kind = try StorageKind.named(remote.configuration.type)
        guard let configuration = kind.offline(remote.configuration, false) else {
            throw CocoaError.location(
                remote.name + ":",
                "nothing is known of this server yet",
                "use it once without --offline"
            )
        }
        return try await kind.open(configuration, opening(MemoryCredentialStore()))
    }

    /// A storage, read through what is kept of it.
    ///
    /// - Parameters:
    ///   - storage: The storage itself.
    ///   - configuration: The configuration that it was made of.
    ///   - remote: The remote's name; `nil` of a URL.
    ///   - prefix: The prefix of its locations.
    ///   - isWanted: `true` if anything may be kept of it.
    /// - Returns: The same storage if nothing is to be kept.
    /// - Throws: `CocoaError` if it can't be asked, and nothing can be kept.
    private func kept(
        _ storage: any Storage,
        of configuration: ProviderConfiguration,
        remote: String?,
        prefix: String,
        isWanted: Bool
    ) async throws -> any Storage {
        let account = configuration.cacheAccount(of: storage, remote: remote)
        let storage = pictured(storage)
        // Also where nothing is kept in this run: what an earlier one has kept is to be forgotten when it changes.
        accounts[prefix] = account
        if cacheUse == .managing { return storage }
        guard isWanted, !cache.isOff else {
            guard cacheUse.isOffline else { return storage }
            throw CocoaError.location(
                prefix,
                "nothing is kept of it",
                isWanted ? "set \(RemoteCache.variable) to something else than 'off'" : "leave out --offline"
            )
        }
        guard case .reading(let options) = cacheUse else { return storage }
        return Self.cached(storage, try await cache.store(), account, options)
    }

    /// A storage whose files have thumbnails and properties, if those are wanted.
    private func pictured<Base: Storage>(_ base: Base) -> any Storage {
        media.map { MediaFileProvider(base, generator: $0) } ?? base
    }

    private static func cached<Base: Storage>(
        _ base: Base,
        _ store: CacheStore,
        _ account: CacheAccount,
        _ options: CachingOptions
    ) -> any Storage {
        // One file after the other is read once, from its beginning to its end; and no run takes more questions than
        // it would without the cache.
        let settings = CacheSettings(readAheadBytes: 0, validatesByOpening: true)
        return CachedFileProvider(base, store: store, account: account, options: options, settings: settings)
    }

    /// The account whose storage a location is on.
    ///
    /// - Parameter location: Anything on it.
    /// - Returns: `nil` if nothing is ever kept of it.
    func account(of location: Location) -> CacheAccount? { accounts[location.prefix] }

    private static func usable(_ provider: any FileProviderBasic, _ text: String) throws -> any Storage {
        guard let storage = provider as? any Storage else {
            throw CocoaError.location(text, "files can't be read and written there", "use another storage")
        }
        return storage
    }
}

extension CocoaError {
    /// The same error under the name that a person used.
    func naming(_ text: String) -> CocoaError {
        var info = userInfo
        info[NSFilePathErrorKey] = text
        return CocoaError(code, userInfo: info)
    }
}
