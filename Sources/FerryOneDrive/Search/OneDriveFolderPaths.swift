import FerryCore
import FerryHTTP
import Foundation
import Synchronization

/// The paths of folders that answers name by their identifiers only, found by asking for them.
actor OneDriveFolderPaths {
    /// Folders above each other at most.
    private static let mostFolders = 200

    private let provider: OneDriveFileProvider
    private let drive: String
    private let foreignDriveID: String?
    /// The paths by identifiers; `nil` for a folder that is not below the top.
    private var known: [String: ItemPath?]

    /// Makes an empty memory.
    ///
    /// - Parameters:
    ///   - provider: The provider.
    ///   - top: The identifier and the path of the folder that all others must be below.
    ///   - drive: The address of the drive.
    ///   - foreignDriveID: The identifier of the drive where it is another one than the provider's.
    init(
        _ provider: OneDriveFileProvider,
        top: (id: String, path: ItemPath),
        drive: String,
        foreignDriveID: String?
    ) {
        self.provider = provider
        self.drive = drive
        self.foreignDriveID = foreignDriveID
        known = [top.id: top.path]
    }

    /// Returns the paths of folders.
    ///
    /// - Parameter ids: The identifiers.
    /// - Returns: The paths of those that are below the top, or are the top.
    /// - Throws: ``OneDriveError``; errors of the connection.
    func paths(of ids: [String]) async throws -> [String: ItemPath] {
        let unknown = Set(ids).filter { known[$0] == nil }
        let found = try await inParallel(unknown.sorted(), concurrency: 4) { id in
            (id, try await self.path(of: id, depth: 0))
        }
        for (id, path) in found { known[id] = .some(path) }
        return Dictionary(ids.compactMap { id in (known[id] ?? nil).map { (id, $0) } }) { $1 }
    }

    private func path(of id: String, depth: Int) async throws -> ItemPath? {
        if let path = known[id] { return path }
        guard depth < Self.mostFolders, let item = try await folder(id) else { return nil }
        let type = provider.drive.withLock { $0.type }
        // Items in a package, such as a notebook, are not shown.
        guard item.root == nil, item.package == nil, let name = item.name, let parent = item.parentReference?.id
        else { return nil }
        let path = try await self.path(of: parent, depth: depth + 1)?.appending(OneDriveName.decode(name, in: type))
        known[id] = .some(path)
        return path
    }

    private func folder(_ id: String) async throws -> GraphItem? {
        do {
            return try await provider.connection.call(
                .get,
                GraphAddress(drive: drive, id: id).route("", [("$select", "id,name,root,package,parentReference")]),
                as: GraphItem.self,
                about: ItemPath(identifier: id)
            )
        } catch let error as OneDriveError where [.noSuchItem, .notAllowed].contains(error.reason) {
            // It went meanwhile, or is above what is shared.
            return nil
        }
    }
}
