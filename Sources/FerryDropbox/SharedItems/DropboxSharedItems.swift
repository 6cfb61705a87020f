import FerryCore
import Foundation

/// The folders and files that are shared with an account, by the names under which they are shown.
actor DropboxSharedItems {
    /// The time that names are used for: folders get other names, and names lead to other folders.
    private static let lifetime: TimeInterval = 60

    private let account: DropboxFileProvider
    private let showsFolders: Bool
    private let showsFiles: Bool
    private var places: [String: DropboxSharedPlace] = [:]
    /// The time when the items were asked for; `nil` if they have to be asked for.
    private var date: Date?
    private var providers: [String: DropboxFileProvider] = [:]

    /// Makes an index; nothing is sent until it is used.
    ///
    /// - Parameters:
    ///   - account: The account.
    ///   - folders: A Boolean value that indicates whether folders are shown.
    ///   - files: A Boolean value that indicates whether files are shown.
    init(_ account: DropboxFileProvider, folders: Bool, files: Bool) {
        self.account = account
        (showsFolders, showsFiles) = (folders, files)
    }

    /// Asks for all items.
    ///
    /// - Returns: Folders and files, in Dropbox's order.
    /// - Throws: Errors of the connection and the login.
    func all() async throws -> [DropboxSharedPlace] {
        let now = account.connection.now()
        let folders = showsFolders ? try await account.sharedFolders() : []
        let files = showsFiles ? try await account.sharedFiles() : []
        let names = Self.distinct(folders.map { ($0.name, $0.id) } + files.map { ($0.name, $0.id) })
        let paths = names.map { ItemPath.root.appending($0) }
        let shown =
            zip(folders, paths).map { folder, path in
                DropboxSharedPlace.folder(
                    DropboxShownFolder(
                        folder: folder,
                        path: path,
                        provider: provider(of: folder),
                        forget: { [weak self] in await self?.forget() }
                    ),
                    .root
                )
            }
            + zip(files, paths.dropFirst(folders.count)).map { file, path in
                .file(DropboxShownFile(file: file, path: path))
            }
        places = Dictionary(zip(paths.map { DropboxPath.key($0) }, shown)) { first, _ in first }
        date = now
        return shown
    }

    /// Makes the next question ask for all items, since one of them may not be what it was.
    func forget() { date = nil }

    /// Takes out an item that is gone.
    ///
    /// - Parameter path: Its path.
    func drop(_ path: ItemPath) { places[DropboxPath.key(path)] = nil }

    /// Finds what a path leads to.
    ///
    /// - Parameter path: The path.
    /// - Returns: The shared item, and the path in it; of items in a folder nothing is asked, except once a minute.
    /// - Throws: `CocoaError.fileNoSuchFile` if no item of that name is shared; errors of asking for the items.
    func place(of path: ItemPath) async throws -> DropboxSharedPlace {
        if path.isRoot { return .root }
        guard !path.beginsWithIdentifier, let name = path.components.first else { throw CocoaError.noSuchItem(path) }
        let top = ItemPath.root.appending(component: name)
        let key = DropboxPath.key(top)
        if places[key] == nil || !isFresh { _ = try await all() }
        let inner = path.relative(to: top) ?? .root
        switch places[key] {
        case .folder(let folder, _): return .folder(folder, inner)
        case .file(let file) where inner.isRoot: return .file(file)
        case .file: throw CocoaError.notAFolder(top)
        case .root, nil: throw CocoaError.noSuchItem(path)
        }
    }

    private var isFresh: Bool {
        date.map { account.connection.now().timeIntervalSince($0) < Self.lifetime } ?? false
    }

    /// Returns the provider of a folder, which remembers what it has seen there.
    private func provider(of folder: DropboxSharedFolder) -> DropboxFileProvider {
        if let known = providers[folder.id] { return known }
        let provider = DropboxFileProvider(account, namespace: folder.id)
        providers[folder.id] = provider
        return provider
    }

    /// Makes names distinct: others can share items of the same name.
    ///
    /// - Parameter items: The names and the identifiers of items.
    /// - Returns: The names, those that several items have with the identifier, before the extension.
    static func distinct(_ items: [(name: String, id: String)]) -> [String] {
        func key(_ name: String) -> String { DropboxPath.key(ItemPath.root.appending(name)) }
        let counts = Dictionary(items.map { (key($0.name), 1) }, uniquingKeysWith: +)
        return items.map { item in
            guard counts[key(item.name)] != 1 else { return item.name }
            let suffix = ItemPath.root.appending(item.name).pathExtension
            let end = suffix.isEmpty ? "" : ".\(suffix)"
            return "\(item.name.dropLast(end.count)) (\(item.id))\(end)"
        }
    }
}
