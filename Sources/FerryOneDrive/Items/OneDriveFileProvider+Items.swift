public import FerryCore
import FerryHTTP
import Foundation
import Synchronization

extension OneDriveFileProvider {
    /// The members of items that listings ask for.
    static let listedMembers =
        "id,name,size,eTag,cTag,createdDateTime,lastModifiedDateTime,fileSystemInfo,parentReference,file,folder,"
        + "package,root,remoteItem,deleted,shared,malware"

    /// Asks for an item.
    ///
    /// - Parameters:
    ///   - place: Its place.
    ///   - path: The path that was asked for, for errors.
    ///   - members: The members that are asked for; `nil` for all, the URL of the content among them.
    /// - Returns: The item.
    /// - Throws: ``OneDriveError``; errors of the connection.
    func graphItem(
        at place: OneDrivePlace,
        about path: ItemPath,
        members: String? = OneDriveFileProvider.listedMembers
    ) async throws -> GraphItem {
        let query = members.map { [("$select", $0)] } ?? []
        let item = try await connection.call(
            .get,
            place.address.route("", query),
            as: GraphItem.self,
            about: path
        )
        note([item], foreignDriveID: place.foreignDriveID)
        return item
    }

    /// Asks for an item, by path or identifier; a shortcut is the answer itself, and is not followed.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - members: The members that are asked for; `nil` for all, the URL of the content among them.
    /// - Returns: The item and its place.
    /// - Throws: ``OneDriveError``; errors of the connection.
    func graphItem(
        at path: ItemPath,
        members: String? = OneDriveFileProvider.listedMembers
    ) async throws -> (item: GraphItem, place: OneDrivePlace) {
        try await atPlace(of: path) { place in
            let item = try await graphItem(at: place, about: path, members: members)
            remember(item, at: path, place)
            return (item, place)
        }
    }

    /// Asks for a file that is to be read or replaced; a shortcut to a file leads to the file in the other drive.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - members: The members that are asked for; `nil` for all, the URL of the content among them.
    /// - Returns: The file and its place.
    /// - Throws: ``OneDriveError``; errors of the connection.
    func graphFile(
        at path: ItemPath,
        members: String? = OneDriveFileProvider.listedMembers
    ) async throws -> (item: GraphItem, place: OneDrivePlace) {
        let (item, place) = try await graphItem(at: path, members: members)
        guard item.kind == .file, let target = item.shortcutTarget else { return (item, place) }
        let other = try await self.place(of: target)
        return (try await graphItem(at: other, about: path, members: members), other)
    }

    /// Returns the item that an answer describes.
    ///
    /// - Parameters:
    ///   - item: The answer.
    ///   - path: The path that was asked for, by names or by identifier.
    ///   - foreignDriveID: The identifier of the item's drive where that is another one than the provider's.
    /// - Returns: The item; one that has no place below the provider's top is known by its identifier alone.
    /// - Throws: `CocoaError.fileNoSuchFile` for what is deleted.
    func fileObject(_ item: GraphItem, at path: ItemPath, foreignDriveID: String?) throws -> FileObject {
        let type = drive.withLock { $0.type }
        if path.isRoot || (item.root != nil && foreignDriveID == nil) {
            var top = FileObject(path: .root, type: .directory)
            top.id = item.id
            return top
        }
        var folder: ItemPath? = path.parent
        if path.beginsWithIdentifier { folder = foreignDriveID == nil ? folderPath(item.parentReference) : nil }
        guard
            var file = item.item(in: folder ?? .root, driveType: type, foreignDriveID: foreignDriveID)
        else { throw CocoaError.noSuchItem(path) }
        if folder == nil { file.path = OneDriveItemID(drive: foreignDriveID, item: item.id).path }
        if folder != nil, foreignDriveID == nil { known.note(file) }
        return file
    }

    /// Returns what the service knows about one item.
    ///
    /// - Parameter path: The item; `id:` paths lead to it as well.
    /// - Returns: The item, its name as the service spells it; of a shortcut the shortcut, with what it leads to.
    /// - Throws: `CocoaError.fileNoSuchFile`, `.fileReadNoPermission`; errors of the connection.
    public func attributesOfItem(path: ItemPath) async throws -> FileObject {
        try await mappingRefusals {
            if let revision = OneDriveRevision(path) { return try await attributes(of: revision, at: path) }
            let (item, place) = try await graphItem(at: path)
            return try fileObject(item, at: path, foreignDriveID: place.foreignDriveID)
        }
    }

    /// Returns the file that an earlier content belongs to, as it was then.
    private func attributes(of revision: OneDriveRevision, at path: ItemPath) async throws -> FileObject {
        let place = try await place(of: revision.file)
        let version = try await connection.call(
            .get,
            place.address.route("/versions/\(GraphAddress.encoded(revision.version))"),
            about: path
        )
        let (item, _) = try await graphItem(at: revision.file.path)
        var file = try fileObject(item, at: revision.file.path, foreignDriveID: place.foreignDriveID)
        file.size = version["size"].integer
        file.modifiedDate = OneDriveDate.date(version["lastModifiedDateTime"].string)
        file.eTag = "\(item.id)@\(revision.version)"
        // The checksums are those of the current content.
        file.extras[.checksums] = nil
        file.path = path
        return file
    }
}
