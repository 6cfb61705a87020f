public import FerryCore
import FerryHTTP
import Foundation

extension DropboxFileProvider {
    /// Returns the folders that are shared with the account, mounted or not.
    ///
    /// - Returns: Folders in Dropbox's order.
    /// - Throws: Errors of the connection and the login.
    public func sharedFolders() async throws -> [DropboxSharedFolder] {
        try await entries(of: "sharing/list_folders").map { try sharedFolder($0) }
    }

    /// Puts a folder that is shared with the account among its files.
    ///
    /// - Parameter folder: The folder.
    /// - Returns: The folder, with its path.
    /// - Throws: `CocoaError.fileWriteFileExists` if it is mounted already; `.fileWriteOutOfSpace`.
    @discardableResult
    public func mount(_ folder: DropboxSharedFolder) async throws -> DropboxSharedFolder {
        do {
            let answer = try await connection.call(
                "sharing/mount_folder",
                ["shared_folder_id": .text(folder.id)],
                isIdempotent: false
            )
            return try sharedFolder(answer)
        } catch let error as DropboxError {
            guard error.tags.first == "already_mounted" else { throw error.mapped(whileWriting: true) }
            throw CocoaError.itemExists(folder.path ?? .root, underlying: error)
        }
    }

    /// Returns the files that are shared with the account one by one, which are in none of its folders.
    ///
    /// - Returns: Files whose paths lead to them by identifier.
    /// - Throws: Errors of the connection and the login.
    public func receivedFiles() async throws -> [FileObject] {
        try await sharedFiles().map { shared in
            var file = FileObject(name: shared.name, in: .root, type: .file, id: shared.id)
            file.path = ItemPath(identifier: shared.id)
            return file
        }
    }

    /// Returns the files that are shared with the account one by one, each with the page by which it is read.
    ///
    /// - Returns: Files in Dropbox's order.
    /// - Throws: Errors of the connection and the login.
    func sharedFiles() async throws -> [DropboxSharedFile] {
        try await entries(of: "sharing/list_received_files").map { value in
            guard let name = value["name"].string, let id = value["id"].string, id.hasPrefix("id:"),
                let page = value["preview_url"].string
            else { throw Self.senseless }
            return DropboxSharedFile(id: String(id.dropFirst(3)), name: DropboxPath.name(name), page: page)
        }
    }

    /// Collects the entries of all pages of a list.
    private func entries(of route: String) async throws -> [JSONValue] {
        try await HTTPPageCursor<JSONValue>.all { cursor in
            let answer = try await mappingRefusals {
                if let cursor {
                    try await connection.call(DropboxRoute("\(route)/continue"), ["cursor": .text(cursor)])
                } else {
                    try await connection.call(DropboxRoute(route), [:])
                }
            }
            guard case .list(let page) = answer["entries"] else { throw Self.senseless }
            return HTTPPage(page, next: answer["cursor"].string)
        }
    }

    private func sharedFolder(_ value: JSONValue) throws -> DropboxSharedFolder {
        guard let id = value["shared_folder_id"].string, let name = value["name"].string else { throw Self.senseless }
        return DropboxSharedFolder(
            id: id,
            name: DropboxPath.name(name),
            path: value["path_lower"].string.flatMap { text in
                seen.item(at: DropboxPath.key(text))?.path ?? seen.path(text)
            },
            isReadOnly: value["access_type"].tag.map { $0 != "owner" && $0 != "editor" } ?? false
        )
    }

    private static var senseless: URLError {
        .answer(.cannotParseResponse, description: "Dropbox's words about shared items make no sense")
    }
}
