public import FerryCore
import FerryHTTP
import Foundation

/// The recycle bin: items go into it, and personal drives give those back whose identifier is known. Nobody can list it,
/// or empty it, by this version of the API.
extension OneDriveFileProvider: FileProviderTrash {
    /// `true` unless the option `hard-delete` is set.
    public var trashesRemovedItems: Bool { !options.removesForGood }

    /// Puts an item into the recycle bin, a folder with all below it, whatever the option `hard-delete` says.
    ///
    /// See <https://learn.microsoft.com/graph/api/driveitem-delete>.
    ///
    /// - Parameter path: The item; never the root. Of a shortcut the shortcut goes, not what it leads to.
    /// - Returns: The item in the recycle bin; keep it, since it can't be looked up later.
    /// - Throws: `CocoaError.fileNoSuchFile`.
    @discardableResult
    public func trashItem(path: ItemPath) async throws -> TrashedItem {
        guard !path.isRoot else { throw CocoaError.file(.fileWriteNoPermission, path: path) }
        return try await mappingRefusals(whileWriting: true) {
            let (item, place) = try await graphItem(at: path)
            let file = try fileObject(item, at: path, foreignDriveID: place.foreignDriveID)
            guard !file.path.isRoot else { throw CocoaError.file(.fileWriteNoPermission, path: path) }
            let address = GraphAddress(drive: place.address.drive, id: item.id)
            try await connection.onceOnly {
                _ = try await connection.call(.delete, address.route(), about: path, isIdempotent: false)
            } outcome: {
                try await isThere(address, about: path) ? nil : ()
            }
            folders.forget(file.path)
            let id = OneDriveItemID(drive: place.foreignDriveID, item: item.id)
            return TrashedItem(id: id.text, item: file, deletionDate: connection.now())
        }
    }

    /// Listing the recycle bin is not possible.
    ///
    /// - Returns: Nothing.
    /// - Throws: `CocoaError.featureUnsupported`: an empty list would say that the recycle bin is empty.
    public func trashedItems() async throws -> [TrashedItem] {
        throw Self.unlistedTrash("listing the recycle bin")
    }

    /// Takes an item out of the recycle bin, which personal drives can do.
    ///
    /// See <https://learn.microsoft.com/graph/api/driveitem-restore>.
    ///
    /// - Parameters:
    ///   - item: The item, as ``trashItem(path:)`` returned it, in this process or another.
    ///   - target: The path to put it to; `nil` for where it came from.
    /// - Throws: `CocoaError.featureUnsupported` on a drive of an organization; `.fileWriteFileExists`; `.fileNoSuchFile`
    ///   when it is not in the recycle bin, or its folder is gone.
    public func restoreFromTrash(_ item: TrashedItem, to target: ItemPath?) async throws {
        let target = target ?? item.originalPath
        let id = OneDriveItemID(item.id)
        guard !id.item.isEmpty, !target.isIdentifier, !target.isRoot else { throw CocoaError.noSuchItem(target) }
        // The type of another drive is not known. If it can't restore items, the service says so.
        if id.drive == nil, let type = try await mappingRefusals({ try await driveType() }), type != .personal {
            throw Self.unlistedTrash("taking items out of an organization's recycle bin")
        }
        if try await attributesIfExists(path: target) != nil { throw CocoaError.itemExists(target) }
        let folder = try await folder(at: target.parent)
        try await mappingRefusals(whileWriting: true, target: target) {
            let place = try await place(of: id)
            guard folder.foreignDriveID?.lowercased() == place.foreignDriveID?.lowercased() else {
                throw CocoaError.unsupported("restoring into another drive", path: target)
            }
            guard try await !isThere(place.address, about: target) else {
                throw CocoaError.noSuchItem(item.originalPath)
            }
            let body: JSONValue = [
                "parentReference": ["id": .text(try await identifier(of: folder))],
                "name": .text(try await serverName(target.lastName)),
            ]
            try await connection.onceOnly {
                _ = try await connection.call(
                    .post,
                    place.address.route("/restore"),
                    body,
                    about: target,
                    isIdempotent: false
                )
            } outcome: {
                try await isThere(place.address, about: target) ? () : nil
            }
        }
    }

    /// Returns whether the item can be taken out of the recycle bin again: of a personal drive it can, by its identifier.
    ///
    /// - Parameter item: The item, as ``trashItem(path:)`` returned it.
    /// - Returns: `false` for an item of an organization's drive, or of a drive whose type is not known, such as another
    ///   person's.
    /// - Throws: Errors of asking for the type of the drive.
    public func canRestore(_ item: TrashedItem) async throws -> Bool {
        guard OneDriveItemID(item.id).drive == nil else { return false }
        return try await mappingRefusals { try await driveType() } == .personal
    }

    /// Removing from the recycle bin is not possible.
    ///
    /// - Parameter items: The items; `nil` for all.
    /// - Throws: `CocoaError.featureUnsupported` unless there is nothing to be done.
    public func emptyTrash(_ items: [TrashedItem]?) async throws {
        guard items?.isEmpty != true else { return }
        throw Self.unlistedTrash("removing from the recycle bin")
    }

    private static func unlistedTrash(_ ability: String) -> CocoaError {
        CocoaError.file(
            .featureUnsupported,
            path: .root,
            description: "\(ability) is not possible here",
            suggestion: "open the recycle bin in a browser"
        )
    }

    /// Returns whether an item exists outside of the recycle bin.
    private func isThere(_ address: GraphAddress, about path: ItemPath) async throws -> Bool {
        do {
            let item = try await connection.call(
                .get,
                address.route("", [("$select", "id,deleted")]),
                as: GraphItem.self,
                about: path
            )
            return !item.isDeleted
        } catch let error as OneDriveError where error.reason == .noSuchItem {
            return false
        }
    }

    /// Returns the identifier of a folder, which is asked for where it is the top.
    ///
    /// - Parameter folder: The folder.
    /// - Returns: The identifier.
    /// - Throws: ``OneDriveError``; errors of the connection.
    func identifier(of folder: OneDriveFolder) async throws -> String {
        if let id = folder.id { return id }
        let route = folder.address.route("", [("$select", "id,root")])
        return try await connection.call(.get, route, as: GraphItem.self, about: .root).id
    }
}
