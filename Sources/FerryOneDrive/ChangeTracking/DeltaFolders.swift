import FerryCore
import FerryHTTP
import Foundation
import Synchronization

/// The paths of the folders that changed items are in: lists of changes tell their identifiers only.
actor DeltaFolders {
    /// Folders above each other at most.
    private static let mostFolders = 200

    /// The error for changes that don't say which item is where: nobody can tell then what has become of it.
    static var doubt: URLError {
        .answer(.cannotParseResponse, description: "the changes have an item without a name, or without a folder")
    }

    private let provider: OneDriveFileProvider
    private var changed: [String: GraphItem] = [:]
    /// The paths that were found; `nil` for a folder that is outside of the one that paths begin at, or is gone.
    private var found: [String: ItemPath?] = [:]

    /// Makes an empty memory.
    ///
    /// - Parameter provider: The provider.
    init(_ provider: OneDriveFileProvider) {
        self.provider = provider
    }

    /// Notes changed items, of which some are folders of others.
    ///
    /// - Parameter items: The items.
    func note(_ items: [GraphItem]) {
        for item in items { changed[item.id] = item }
    }

    /// Returns the path of the folder that an item is in.
    ///
    /// - Parameter item: The item.
    /// - Returns: `nil` for a folder that is outside of the one that paths begin at, or is gone, and for what is in a
    ///   package.
    /// - Throws: ``OneDriveError``; errors of the connection; `URLError.cannotParseResponse` where the service does not
    ///   say which folder it is.
    func path(ofParentOf item: GraphItem) async throws -> ItemPath? {
        if let path = provider.folderPath(item.parentReference) { return path }
        guard let parent = item.parentReference?.id else { throw Self.doubt }
        return try await path(of: parent, depth: 0)
    }

    private func path(of id: String, depth: Int) async throws -> ItemPath? {
        if let path = found[id] { return path }
        guard depth < Self.mostFolders else { throw Self.doubt }
        let path = try await search(id, depth: depth)
        found[id] = .some(path)
        return path
    }

    private func search(_ id: String, depth: Int) async throws -> ItemPath? {
        // The folder that paths begin at.
        let top = try await provider.top()
        if GraphAddress(drive: top.drive, id: id) == top { return .root }
        let item: GraphItem
        if let known = changed[id] {
            guard !known.isDeleted else { return nil }
            item = known
        } else if let asked = try await ask(id) {
            item = asked
        } else {
            return nil
        }
        let type = provider.drive.withLock { $0.type }
        if item.root != nil { return provider.drive.withLock { $0.namesAbove.isEmpty } ? .root : nil }
        // A notebook is a package, and a folder too: what is in it is not shown.
        guard item.kind == .directory else { return nil }
        guard let name = item.name, let parent = item.parentReference?.id else { throw Self.doubt }
        if let folder = provider.folderPath(item.parentReference) {
            return folder.appending(OneDriveName.decode(name, in: type))
        }
        return try await path(of: parent, depth: depth + 1)?.appending(OneDriveName.decode(name, in: type))
    }

    private func ask(_ id: String) async throws -> GraphItem? {
        do {
            return try await provider.connection.call(
                .get,
                GraphAddress(drive: try await provider.top().drive, id: id)
                    .route("", [("$select", "id,name,root,folder,package,parentReference,deleted")]),
                as: GraphItem.self,
                about: ItemPath(identifier: id)
            )
        } catch let error as OneDriveError where error.reason == .noSuchItem {
            return nil
        }
    }
}
