public import FerryCore
import FerryHTTP
import Foundation
import Synchronization

extension OneDriveFileProvider {
    /// Returns the files and folders of other drives that are shared with the account, mounted or not.
    ///
    /// The vendor has announced that its list ends in November 2027, see
    /// <https://learn.microsoft.com/graph/api/drive-sharedwithme>. Links and shortcuts stay.
    ///
    /// - Returns: Items in the service's order.
    /// - Throws: Errors of the connection and the login.
    public func sharedItems() async throws -> [OneDriveSharedItem] {
        try await mappingRefusals {
            let route = "/me/drive/sharedWithMe" + GraphAddress.query([("allowexternal", "true")])
            let items = try await HTTPPageCursor<GraphItem>.all { link in
                let page =
                    if let link {
                        try await connection.follow(link, as: GraphPage.self, about: .root)
                    } else {
                        try await connection.call(.get, route, as: GraphPage.self, about: .root)
                    }
                return HTTPPage(page.value, next: page.nextLink)
            }
            return items.compactMap { item in
                guard let target = item.shortcutTarget, let name = item.remoteItem?.name ?? item.name else {
                    return nil
                }
                return OneDriveSharedItem(
                    id: target.text,
                    name: OneDriveName.decode(name, in: drive.withLock { $0.type }),
                    isFolder: item.kind == .directory,
                    size: item.kind == .file ? item.remoteItem?.size ?? item.size : nil,
                    url: (item.remoteItem?.webURL ?? item.webURL).flatMap { URL(string: $0) }
                )
            }
        }
    }

    /// Puts a shortcut to a shared folder into the top folder; listing, reading and writing go through it.
    ///
    /// Removing the shortcut leaves what it leads to as it is.
    ///
    /// - Parameters:
    ///   - item: The folder.
    ///   - name: The name of the shortcut; `nil` for the folder's own.
    /// - Returns: The shortcut.
    /// - Throws: `CocoaError.fileWriteFileExists` if the name is taken; `.featureUnsupported` for a file.
    @discardableResult
    public func mount(_ item: OneDriveSharedItem, as name: String? = nil) async throws -> FileObject {
        let id = OneDriveItemID(item.id)
        let path = ItemPath.root.appending(name ?? item.name)
        guard item.isFolder, let driveID = id.drive else {
            throw CocoaError.unsupported("a shortcut to a file", path: path)
        }
        return try await mappingRefusals(whileWriting: true, target: path) {
            let body: JSONValue = [
                "name": .text(try await serverName(name ?? item.name)),
                "remoteItem": ["id": .text(id.item), "parentReference": ["driveId": .text(driveID)]],
                "@microsoft.graph.conflictBehavior": "fail",
            ]
            let route = try await top().route("/children")
            let made: GraphItem = try await connection.onceOnly {
                try await connection.call(.post, route, body, as: GraphItem.self, about: path, isIdempotent: false)
            } outcome: {
                do {
                    let there = try await graphItem(at: path).item
                    return there.shortcutTarget == id ? there : nil
                } catch let error as OneDriveError where error.reason == .noSuchItem {
                    return nil
                }
            }
            return try fileObject(made, at: path, foreignDriveID: nil)
        }
    }
}
