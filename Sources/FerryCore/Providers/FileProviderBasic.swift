public import Foundation

/// A storage: it says what it is, and lists, describes and finds items.
///
/// A provider is a `final class` that is `Sendable`: its configuration is immutable, its state is in an actor or a
/// `Mutex`. To write one, implement the requirements below as `async throws`; the completion-handler forms, the array
/// forms, searching, `Progress`, operations and delegates come for free.
///
/// Errors are the same for the same situation on every storage; see <doc:Errors>.
public protocol FileProviderBasic: Sendable, CustomDebugStringConvertible {
    /// The kind of storage, as it stands in configurations: `local`, `memory`, `webdav` …
    static var type: String { get }

    /// The URL that all paths are relative to, without user or password; `nil` if the storage has no URLs.
    var baseURL: URL? { get }

    /// The account there; `nil` if nobody asks.
    var credential: FileProviderCredential? { get }

    /// The storage's abilities beyond its protocols, and its limits.
    var capabilities: FileProviderCapabilities { get }

    /// Queues, delegates and logger of this provider.
    var environment: FileProviderEnvironment { get }

    /// The items of a folder, page after page as the storage delivers them, in the storage's order.
    ///
    /// Nothing is requested until the first page is asked for. A page that can't be had throws; pages before it stay
    /// valid, and the listing as a whole is then incomplete, never shorter.
    ///
    /// - Parameter path: The folder.
    /// - Returns: Pages that throw `CocoaError.fileNoSuchFile`, `.fileReadNoPermission`, and
    ///   `CocoaError.notAFolder(_:whileWriting:)` for anything but a folder.
    func directoryListing(path: ItemPath) -> DirectoryListing

    /// Returns what the storage knows about one item; of a symbolic link, about the link itself.
    ///
    /// - Parameter path: The item.
    /// - Returns: The item as a listing of its folder would show it, or with more properties.
    /// - Throws: `CocoaError.fileNoSuchFile` only when the storage clearly says that there is no such item.
    func attributesOfItem(path: ItemPath) async throws -> FileObject

    /// The room on the storage, and its name.
    ///
    /// - Returns: The known properties; every one may be `nil`.
    /// - Throws: Errors of the connection.
    func storageProperties() async throws -> VolumeObject

    /// The items below a folder that fulfil a query.
    ///
    /// The default implementation walks the tree with ``directoryListing(path:)``. Implement it where a server can
    /// filter, and say in ``searchPlan(for:)`` what it does.
    ///
    /// - Parameters:
    ///   - path: The folder to search in; it is not itself among the results.
    ///   - recursive: `true` to search the folders below as well. Symbolic links are not followed.
    ///   - query: The query to match.
    /// - Returns: Items as they are found. It throws at the first folder that can't be listed.
    func searchFiles(path: ItemPath, recursive: Bool, query: FileQuery) -> SearchResults

    /// Returns the part of a query that the storage evaluates, and the part that we do.
    ///
    /// - Parameter query: The query.
    /// - Returns: The two parts; by default, all of it is ours.
    func searchPlan(for query: FileQuery) -> FileQueryPlan

    /// The URL of an item.
    ///
    /// - Parameter path: The item; it need not exist.
    /// - Returns: A URL without credentials, or `nil` if the storage has no URLs or none for this kind of path.
    func url(of path: ItemPath) -> URL?

    /// The path of an item whose URL is known: the reverse of ``url(of:)``.
    ///
    /// - Parameter url: A URL at or below ``baseURL``.
    /// - Returns: The path, or `nil` if the URL is not on this storage.
    func relativePath(of url: URL) -> ItemPath?

    /// Returns whether the storage answers.
    ///
    /// - Returns: `false` if it can't be reached or its base folder is gone.
    /// - Throws: Other errors, such as `URLError.userAuthenticationRequired`.
    func isReachable() async throws -> Bool
}

// MARK: - Derived methods

extension FileProviderBasic {
    /// The kind of storage, as it stands in configurations.
    public var type: String { Self.type }

    /// All items of a folder, in the storage's order.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - progress: Counts the items as they arrive; cancelling it stops the listing.
    /// - Returns: Every item; an incomplete listing is an error.
    /// - Throws: As the pages of ``directoryListing(path:)``.
    public func contentsOfDirectory(path: ItemPath, reporting progress: Progress? = nil) async throws -> [FileObject] {
        progress?.beginFileWork()
        var items: [FileObject] = []
        for try await page in directoryListing(path: path) {
            try progress.checkCancellation()
            items += page
            progress?.completedUnitCount += Int64(page.count)
        }
        return items
    }

    /// By default, everything is evaluated here.
    ///
    /// - Parameter query: The query.
    /// - Returns: A plan in which the storage does nothing.
    public func searchPlan(for query: FileQuery) -> FileQueryPlan {
        FileQueryPlan(query, where: { _ in false })
    }

    /// Joins ``baseURL`` and the path, percent-encoding each name.
    ///
    /// - Parameter path: The item.
    /// - Returns: A URL, or `nil` without a base URL or for a path by identifier.
    public func url(of path: ItemPath) -> URL? {
        baseURL.flatMap { path.url(relativeTo: $0) }
    }

    /// Takes ``baseURL`` off the URL.
    ///
    /// - Parameter url: A URL at or below the base.
    /// - Returns: The path, or `nil` if the URL is elsewhere.
    public func relativePath(of url: URL) -> ItemPath? {
        baseURL.flatMap { ItemPath(url: url, relativeTo: $0) }
    }

    /// Asks for an item that may be missing.
    ///
    /// - Parameter path: The item.
    /// - Returns: The item; `nil` if there is none.
    /// - Throws: Every other error.
    package func attributesIfExists(path: ItemPath) async throws -> FileObject? {
        do {
            return try await attributesOfItem(path: path)
        } catch let error as CocoaError where error.code == .fileNoSuchFile || error.code == .fileReadNoSuchFile {
            return nil
        }
    }

    /// Asks for the attributes of the root.
    ///
    /// - Returns: `false` if nothing answers there.
    /// - Throws: Errors that say more than that.
    public func isReachable() async throws -> Bool {
        do {
            _ = try await attributesOfItem(path: .root)
            return true
        } catch let error as CocoaError where error.code == .fileNoSuchFile || error.code == .fileReadNoSuchFile {
            return false
        } catch let error as URLError where error.code.meansUnreachable {
            return false
        }
    }

    /// Returns whether two providers show the same storage to the same user: same type, same base URL, same user
    /// or, where there is no user's name, same secret.
    ///
    /// - Parameter other: Another provider of any type.
    /// - Returns: `true` if paths of one mean the same items in the other. `false` doesn't prove that they are different:
    ///   one account can have several secrets, and tokens are replaced by new ones.
    public func isEqual(to other: any FileProviderBasic) -> Bool {
        type == other.type && baseURL?.absoluteURL == other.baseURL?.absoluteURL
            && credential?.user == other.credential?.user
            // Of two accounts without a user's name the secrets tell one from the other.
            && (credential?.user != nil || credential?.fingerprint == other.credential?.fingerprint)
    }

    /// A description of the provider, without any secret.
    public var debugDescription: String {
        let place = baseURL.map { " \($0.withoutUserInfo.absoluteString)" } ?? ""
        let user = credential?.user.map { " as \($0)" } ?? ""
        return "<\(type)\(place)\(user)>"
    }
}

/// Returns whether two providers show the same storage to the same user.
///
/// - Parameters:
///   - first: A provider.
///   - second: Another provider.
/// - Returns: The answer of ``FileProviderBasic/isEqual(to:)``.
public func == (first: any FileProviderBasic, second: any FileProviderBasic) -> Bool {
    first.isEqual(to: second)
}

extension URLError.Code {
    /// Nothing answered, as opposed to an answer that we did not like.
    var meansUnreachable: Bool {
        switch self {
        case .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed, .networkConnectionLost, .notConnectedToInternet,
            .timedOut:
            true
        default: false
        }
    }
}

/// A storage that does all that files are usually for.
///
/// Copying a provider is copying the reference: it is immutable.
public typealias FileProvider = FileProviderBasic & FileProviderOperations & FileProviderReadWrite

extension FileProviderBasic {
    /// Returns the path from the root of an item that is addressed by an identifier or revision, or below an
    /// identifier.
    ///
    /// - Parameter path: Any path; one from the root is returned as it is, without a request. Below an identifier, the
    ///   item need not exist.
    /// - Returns: The path; it begins with an identifier for an item that has no place below the provider's top.
    /// - Throws: Errors of the connection; `CocoaError.fileNoSuchFile` for an identifier that leads to nothing.
    package func pathFromRoot(_ path: ItemPath) async throws -> ItemPath {
        guard path.beginsWithIdentifier else { return path }
        if path.isIdentifier { return try await attributesOfItem(path: path).path }
        return try await pathFromRoot(path.parent).appending(component: path.lastComponent)
    }

    /// Returns the path from the root of an item that is named below an identifier.
    ///
    /// - Parameter path: The item; an identifier alone is returned as it is.
    /// - Returns: The path.
    /// - Throws: As ``pathFromRoot(_:)``.
    package func pathFromRoot(named path: ItemPath) async throws -> ItemPath {
        path.isIdentifier ? path : try await pathFromRoot(path)
    }
}
