public import FerryCore
import Foundation

extension SFTPFileProvider {
    /// The items of a folder as the server gives them: about a hundred at a time, in no order.
    ///
    /// - Parameter path: The folder; a symbolic link is followed.
    /// - Returns: The pages.
    public func directoryListing(path: ItemPath) -> DirectoryListing {
        DirectoryListing { [self] in
            let reader = SFTPFolderReader(self, path)
            return { try await reader.next() }
        }
    }

    /// Returns what the server says of one item: of a link, where it leads, too; the owner by name where the server
    /// tells it.
    ///
    /// - Parameter path: The item; of a symbolic link the link itself.
    /// - Returns: The item.
    /// - Throws: `CocoaError.fileNoSuchFile`, `.fileReadNoPermission`; errors of the connection.
    public func attributesOfItem(path: ItemPath) async throws -> FileObject {
        let line = try await line()
        let place = try line.path(path)
        do {
            let request: SFTPRequest = path.isRoot ? .stat(place) : .lstat(place)
            let attributes = try await line.connection.begin(request).attributes()
            guard let kind = attributes.kind ?? (path.isRoot ? .directory : nil) else {
                throw SFTPProtocolError("attributes without the kind of the item")
            }
            if path.isRoot, kind != .directory { throw CocoaError.notAFolder(path) }
            var item = FileObject(path: path, kind, attributes)
            if kind == .symlink {
                let text = try await line.connection.begin(.readlink(place)).name()
                item.extras[.linkDestination] = NameEscape.name(ofBytes: text)
            }
            if let owner = attributes.owner {
                let names = try await accountNames.names(of: owner, on: line)
                item.extras[.owner] = names.user
                item.extras[.group] = names.group
            }
            return item
        } catch {
            throw await line.readError(error, path)
        }
    }
}

extension FileObject {
    /// An item as a server describes it.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - folder: The folder that holds it.
    ///   - kind: The kind of item.
    ///   - attributes: The attributes from the server.
    init(name: String, in folder: ItemPath, _ kind: Kind, _ attributes: SFTPAttributes) {
        self.init(
            name: name,
            in: folder,
            type: kind,
            size: kind == .directory ? nil : attributes.size.map { Int64(clamping: $0) },
            modifiedDate: attributes.modifiedDate,
            permissions: attributes.permissions,
            contentType: kind == .file ? ContentType.ofFile(named: name) : nil
        )
        // Dates have whole seconds, of a clock that may be another than ours.
        isFresh = attributes.modifiedDate.map { $0.timeIntervalSinceNow > -3 } ?? false
    }

    /// An item at a path.
    init(path: ItemPath, _ kind: Kind, _ attributes: SFTPAttributes) {
        self.init(name: path.lastName, in: path.parent, kind, attributes)
    }
}
