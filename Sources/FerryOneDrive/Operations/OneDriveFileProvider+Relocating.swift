import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes

extension OneDriveFileProvider {
    /// Returns the request that moves or copies an item.
    ///
    /// - Parameters:
    ///   - kind: The fate of the source.
    ///   - address: The item, by its identifier.
    ///   - target: The new path.
    ///   - conflict: The fate of the item if its name is taken.
    ///   - eTag: The eTag that the item must still have; `nil` for any.
    /// - Returns: The request.
    /// - Throws: `CocoaError.fileNoSuchFile` without the folder of the target; errors of the connection.
    func relocationRequest(
        _ kind: OneDriveTransfer.Kind,
        _ address: GraphAddress,
        to target: ItemPath,
        _ conflict: OneDriveConflict,
        ifMatch eTag: String? = nil
    ) async throws -> HTTPFileRequest {
        switch kind {
        case .move:
            var fields = HTTPFields()
            fields[.ifMatch] = eTag
            return try connection.request(
                .patch,
                address.route("", conflict == .fail ? [] : [(OneDriveConflict.name, conflict.rawValue)]),
                try await moveBody(to: target),
                fields: fields,
                isIdempotent: false
            )
        case .copy:
            let folder = try await folder(at: target.parent)
            let name = try await serverName(target.lastName)
            // A copy needs the drive too.
            let reference: JSONValue = ["driveId": .text(folder.driveID), "id": .text(try await folderID(of: folder))]
            // Personal drives take no other behaviour than to fail, which is the usual one.
            return try connection.request(
                .post,
                address.route("/copy", conflict == .fail ? [] : [(OneDriveConflict.name, conflict.rawValue)]),
                ["name": .text(name), "parentReference": reference],
                isIdempotent: false
            )
        }
    }

    /// Returns the JSON that moves an item.
    ///
    /// - Parameter target: The new path.
    /// - Returns: The new name, and the folder.
    /// - Throws: `CocoaError.fileNoSuchFile` without the folder of the target; errors of the connection.
    func moveBody(to target: ItemPath) async throws -> JSONValue {
        let folder = try await folder(at: target.parent)
        let name = try await serverName(target.lastName)
        // The top of a drive has an identifier like any other folder.
        return ["name": .text(name), "parentReference": ["id": .text(try await folderID(of: folder))]]
    }

    private func folderID(of folder: OneDriveFolder) async throws -> String {
        if let id = folder.id { return id }
        let (item, place) = try await graphItem(at: .root)
        let known = OneDriveFolder(
            address: folder.address,
            id: item.id,
            driveID: item.parentReference?.driveID,
            foreignDriveID: place.foreignDriveID
        )
        folders.note(known, at: .root)
        return item.id
    }

    /// Moves an item to where nothing is, by one request.
    ///
    /// - Parameters:
    ///   - item: The item as it was a moment ago.
    ///   - place: Its place.
    ///   - path: Its path.
    ///   - target: Its new path.
    ///   - conflict: The fate of the item if its name is taken.
    /// - Returns: The item at its new path.
    /// - Throws: ``OneDriveError``; errors of the connection.
    func relocate(
        _ item: GraphItem,
        at place: OneDrivePlace,
        from path: ItemPath,
        to target: ItemPath,
        _ conflict: OneDriveConflict = .fail
    ) async throws -> FileObject {
        let address = GraphAddress(drive: place.address.drive, id: item.id)
        let request = try await relocationRequest(.move, address, to: target, conflict)
        let moved = try await connection.onceOnly {
            let data = try await connection.answer(to: request, about: path).body
            return try GraphConnection.decoded(GraphItem.self, from: data)
        } outcome: {
            // The identifier stays the same: where the item is now says what has come of it.
            let now = try await graphItem(at: OneDrivePlace(address: address, foreignDriveID: nil), about: path)
            return try await isMoved(now, from: item, to: target, conflict) ? now : nil
        }
        return try await noteMove(moved, at: address, from: path, to: target)
    }

    /// Notes that an item was moved by us.
    ///
    /// - Parameters:
    ///   - item: The item as it is now.
    ///   - address: Its address, by its identifier.
    ///   - path: Its path before.
    ///   - target: Its new path.
    /// - Returns: The item at its new path.
    /// - Throws: Errors of asking for the target's folder.
    @discardableResult
    func noteMove(
        _ item: GraphItem,
        at address: GraphAddress,
        from path: ItemPath,
        to target: ItemPath
    ) async throws -> FileObject {
        folders.forget(path)
        let foreign = try await folder(at: target.parent).foreignDriveID
        let file = try fileObject(item, at: target, foreignDriveID: foreign)
        remember(item, at: file.path, OneDrivePlace(address: address, foreignDriveID: foreign))
        return file
    }

    /// Returns whether an item has come to its target.
    ///
    /// - Parameters:
    ///   - now: The item as it is now.
    ///   - before: The item as it was before the move.
    ///   - target: Its new path.
    ///   - conflict: The fate of the item if its name is taken.
    /// - Returns: `true` if it was moved.
    /// - Throws: Errors of asking for the target's folder.
    func isMoved(
        _ now: GraphItem,
        from before: GraphItem,
        to target: ItemPath,
        _ conflict: OneDriveConflict
    ) async throws -> Bool {
        if conflict == .rename {
            return now.name != before.name || now.parentReference?.id != before.parentReference?.id
        }
        let folder = try await folder(at: target.parent)
        let id = try await folderID(of: folder)
        return now.name == (try await serverName(target.lastName)) && now.parentReference?.id == id
    }
}
