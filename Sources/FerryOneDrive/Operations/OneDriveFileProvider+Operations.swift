public import FerryCore
import FerryHTTP
public import Foundation
import HTTPTypes

extension OneDriveFileProvider {
    /// Makes a folder.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - parent: The folder that will hold it.
    ///   - creatingParents: A Boolean value that indicates whether to make what is missing above it.
    /// - Throws: `CocoaError.fileWriteFileExists` if anything has that name; `.fileNoSuchFile` without a parent.
    public func create(folder name: String, at parent: ItemPath, creatingParents: Bool) async throws {
        try Task.checkCancellation()
        let path = try await pathFromRoot(parent).appending(name)
        guard !path.isRoot else { throw CocoaError.itemExists(path) }
        guard creatingParents else {
            try await createFolder(path)
            return
        }
        do {
            try await createIfMissing(path)
        } catch let error where error.isNoSuchItem && !path.parent.isRoot {
            try await create(folder: path.parent.lastName, at: path.parent.parent, creatingParents: true)
            try await createIfMissing(path)
        }
    }

    /// Makes a folder unless it is there.
    private func createIfMissing(_ path: ItemPath) async throws {
        do {
            try await createFolder(path)
        } catch let error as CocoaError where error.code == .fileWriteFileExists {
            guard try await attributesIfExists(path: path)?.isDirectory == true else { throw error }
        }
    }

    /// Makes a folder in one that exists.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - conflict: The fate of the folder if its name is taken.
    /// - Returns: The folder.
    /// - Throws: `CocoaError.fileWriteFileExists`, `.fileNoSuchFile`; errors of the connection.
    @discardableResult
    func createFolder(_ path: ItemPath, _ conflict: OneDriveConflict = .fail) async throws -> FileObject {
        let parent = try await folder(at: path.parent)
        let request = try await folderRequest(path, conflict)
        return try await mappingRefusals(whileWriting: true, target: path) {
            do {
                let item = try await connection.onceOnly(repeats: conflict != .rename) {
                    let data = try await connection.answer(to: request, about: path).body
                    return try GraphConnection.decoded(GraphItem.self, from: data)
                } outcome: {
                    // An empty folder that has just been made is the one that was asked for.
                    guard conflict == .fail else { return nil }
                    return try await newFolder(at: path)
                }
                let place = OneDrivePlace(address: parent.address, foreignDriveID: parent.foreignDriveID)
                let file = try fileObject(item, at: path, foreignDriveID: parent.foreignDriveID)
                remember(item, at: file.path, place)
                return file
            } catch let error as OneDriveError where error.reason == .noSuchItem {
                // It was there a moment ago.
                folders.forget(path.parent)
                throw CocoaError.noSuchItem(path.parent, underlying: error)
            }
        }
    }

    /// Returns a folder that was made a moment ago, by a request whose answer was lost.
    private func newFolder(at path: ItemPath) async throws -> GraphItem? {
        do {
            let (item, _) = try await graphItem(at: path)
            guard item.kind == .directory, item.folder?.childCount ?? 0 == 0,
                let created = OneDriveDate.date(item.createdDateTime),
                abs(created.timeIntervalSince(connection.now())) < Self.clockDifference
            else { return nil }
            return item
        } catch let error as OneDriveError where error.reason == .noSuchItem {
            return nil
        }
    }

    /// The difference between the service's clock and ours, in seconds, up to which an item counts as just made.
    private static let clockDifference: TimeInterval = 60

    /// Returns the request that makes a folder.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - conflict: The fate of the folder if its name is taken.
    /// - Returns: The request.
    /// - Throws: `CocoaError.fileNoSuchFile`; errors of the connection.
    func folderRequest(_ path: ItemPath, _ conflict: OneDriveConflict) async throws -> HTTPFileRequest {
        let parent = try await folder(at: path.parent)
        return try connection.request(
            .post,
            parent.address.route("/children"),
            [
                "name": .text(try await serverName(path.lastName)), "folder": [:],
                OneDriveConflict.name: .text(conflict.rawValue),
            ],
            isIdempotent: false
        )
    }

    /// Removes an item, a folder with all below it; it stays in the recycle bin for as long as the account's plan says,
    /// unless options want it to be gone.
    ///
    /// - Parameters:
    ///   - path: The item; never the root. Of a shortcut only the shortcut is removed.
    ///   - progress: 1 unit.
    /// - Throws: `CocoaError.fileNoSuchFile`, `.fileWriteNoPermission`.
    public func removeItem(path: ItemPath, reporting progress: Progress?) async throws {
        try progress.checkCancellation()
        guard !path.isRoot else { throw CocoaError.topStays }
        if path.revision != nil { throw CocoaError.unsupported("removing a revision", path: path) }
        let path = try await pathFromRoot(named: path)
        try await withCancellation(by: progress) { try await self.remove(path) }
        progress?.finish()
    }

    /// Removes an item.
    ///
    /// - Parameter path: The item.
    /// - Throws: `CocoaError.fileNoSuchFile`; errors of the connection.
    private func remove(_ path: ItemPath) async throws {
        try await mappingRefusals(whileWriting: true) {
            // Not again: what is there now may be another item.
            try await connection.onceOnly(repeats: false) {
                try await atPlace(of: path) { place in
                    let request =
                        options.removesForGood
                        ? try connection.request(.post, place.address.route("/permanentDelete"), isIdempotent: false)
                        : try connection.request(.delete, place.address.route(), isIdempotent: false)
                    _ = try await connection.answer(to: request, about: path)
                }
            } outcome: {
                // An item that is gone was removed, as was asked for.
                try await attributesIfExists(path: path) == nil ? () : nil
            }
        }
        folders.forget(path)
    }

    /// Removes an item that is known by its identifier: then nothing else can be meant, and it can be asked for again.
    ///
    /// It goes to the recycle bin, whatever options say.
    ///
    /// - Parameters:
    ///   - id: The item.
    ///   - path: Its path, for errors.
    ///   - eTag: The eTag that it must still have; `nil` for any.
    /// - Throws: ``OneDriveError``; errors of the connection.
    func remove(_ id: OneDriveItemID, about path: ItemPath, ifMatch eTag: String? = nil) async throws {
        let address = try await place(of: id).address
        var fields = HTTPFields()
        fields[.ifMatch] = eTag
        let request = try connection.request(.delete, address.route(), fields: fields, isIdempotent: true)
        do {
            _ = try await connection.answer(to: request, about: path)
        } catch let error as OneDriveError where error.reason == .noSuchItem {
            // It was removed by a request whose answer was lost.
        }
        folders.forget(path)
    }

    /// Moves an item with all below it.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - target: Its new path, name included; another spelling of its own name counts as one.
    ///   - overwrite: A Boolean value that indicates whether a file there may be replaced, or a folder merged into.
    ///   - progress: 1 unit for each item that is moved by itself.
    /// - Throws: See the rules of `FileProviderOperations`.
    public func moveItem(
        path: ItemPath,
        to target: ItemPath,
        overwrite: Bool,
        reporting progress: Progress?
    ) async throws {
        try await transfer(.move, path, to: target, overwrite: overwrite, reporting: progress)
    }

    /// Copies an item with all below it, inside the service.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - target: The copy's path, name included.
    ///   - overwrite: A Boolean value that indicates whether a file there may be replaced, or a folder merged into.
    ///   - progress: 1 unit for each item that is copied by itself, which fills as the service says.
    /// - Throws: See the rules of `FileProviderOperations`.
    public func copyItem(
        path: ItemPath,
        to target: ItemPath,
        overwrite: Bool,
        reporting progress: Progress?
    ) async throws {
        try await transfer(.copy, path, to: target, overwrite: overwrite, reporting: progress)
    }

    private func transfer(
        _ kind: OneDriveTransfer.Kind,
        _ path: ItemPath,
        to target: ItemPath,
        overwrite: Bool,
        reporting progress: Progress?
    ) async throws {
        try progress.checkCancellation()
        guard !path.isRoot else { throw CocoaError.topStays }
        if target.isRoot { throw CocoaError.itemExists(target) }
        if target.isIdentifier { throw CocoaError.unsupported("writing to an identifier", path: target) }
        if path.revision != nil {
            guard kind == .copy else { throw CocoaError.unsupported("moving a revision", path: path) }
            return try await copyRevision(path, to: target, overwrite: overwrite, reporting: progress)
        }
        let (source, target) = (try await pathFromRoot(named: path), try await pathFromRoot(named: target))
        try await withCancellation(by: progress) {
            try await mappingRefusals(whileWriting: true, target: target) {
                try await OneDriveTransfer(provider: self, kind: kind, progress: progress)
                    .perform(source, to: target, overwrite: overwrite)
            }
        }
        progress?.finish()
    }

    /// Copies an earlier content, which the service does not do by itself, through here.
    private func copyRevision(
        _ path: ItemPath,
        to target: ItemPath,
        overwrite: Bool,
        reporting progress: Progress?
    ) async throws {
        let stream = try await contentStream(path: path, range: .all)
        try await writeStream(
            path: target,
            contents: stream,
            length: stream.facts.range.map { Int64($0.count) },
            options: WriteOptions(overwrite: overwrite, modifiedDate: stream.facts.modifiedDate),
            reporting: progress
        )
    }
}

extension CocoaError {
    static var topStays: CocoaError {
        .file(.fileWriteNoPermission, path: .root, description: "the top of a storage can't be removed or moved")
    }
}
