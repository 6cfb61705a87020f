public import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes

extension OneDriveFileProvider: FileProviderSharing {
    /// Makes a link, or returns the one that exists and is like it.
    ///
    /// See <https://learn.microsoft.com/graph/api/driveitem-createlink>.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - options: How it is to be made; passwords are for personal drives. Without a scope it works for anybody.
    /// - Returns: The link.
    /// - Throws: `CocoaError.featureUnsupported` for an option that the drive or the item lacks;
    ///   `CocoaError.fileWriteFileExists` where another link exists that is not like it.
    public func publicLink(to path: ItemPath, options: ShareOptions) async throws -> ShareLink {
        let type = options.access == .edit ? "edit" : "view"
        return try await create(type, to: path, options, options.scope ?? .anyone).link
    }

    /// Makes a link whose target can be shown inside of another web page, of a file in a personal drive.
    ///
    /// - Parameter path: The file.
    /// - Returns: The link, and the HTML that shows it.
    /// - Throws: `CocoaError.featureUnsupported` for another drive or item.
    public func embedding(of path: ItemPath) async throws -> OneDriveEmbedding {
        let (permission, link) = try await create("embed", to: path, ShareOptions(), nil)
        return OneDriveEmbedding(link: link, html: permission.html)
    }

    /// Returns the links that exist.
    ///
    /// - Parameter path: The item they lead to; `nil` for all items, of which those are looked at that are shared.
    /// - Returns: Links in the service's order. On drives of organizations they are also those of folders above.
    /// - Throws: Errors of the connection.
    public func publicLinks(to path: ItemPath?) async throws -> [ShareLink] {
        if let path {
            return try await mappingRefusals {
                let (item, place) = try await graphItem(at: path)
                let file = try fileObject(item, at: path, foreignDriveID: place.foreignDriveID)
                return try await links(to: file)
            }
        }
        var shared: [FileObject] = []
        for try await page in treeListing(path: .root) ?? crawl(path: .root, recursive: true, query: .all).pages {
            shared += page.filter { $0.extras[.isShared] == true }
        }
        return try await inParallel(shared, concurrency: capabilities.recommendedConcurrency) { file in
            do {
                return try await self.links(to: file)
            } catch let error as OneDriveError where [.noSuchItem, .notAllowed].contains(error.reason) {
                // It went meanwhile, or is somebody else's.
                return []
            } catch let error as OneDriveError {
                throw error.mapped()
            }
        }.flatMap(\.self)
    }

    /// Ends a link.
    ///
    /// See <https://learn.microsoft.com/graph/api/permission-delete>.
    ///
    /// - Parameter link: The link.
    /// - Throws: `CocoaError.fileNoSuchFile` if it does not exist.
    public func revoke(_ link: ShareLink) async throws {
        guard let (item, permission) = OneDrivePermission.parts(of: link.id) else {
            throw CocoaError.noSuchItem(link.path)
        }
        try await mappingRefusals(whileWriting: true) {
            let route = try await place(of: item).address.route("/permissions/\(GraphAddress.encoded(permission))")
            try await connection.onceOnly {
                _ = try await connection.call(.delete, route, about: link.path, isIdempotent: false)
            } outcome: {
                do {
                    _ = try await connection.call(.get, route, about: link.path)
                    return nil
                } catch let error as OneDriveError where error.reason == .noSuchItem {
                    return ()
                }
            }
        }
    }

    // MARK: Making

    private func create(
        _ type: String,
        to path: ItemPath,
        _ options: ShareOptions,
        _ scope: ShareScope?
    ) async throws -> (permission: OneDrivePermission, link: ShareLink) {
        let (item, place) = try await mappingRefusals { try await graphItem(at: path) }
        let target = try fileObject(item, at: path, foreignDriveID: place.foreignDriveID).path
        let id = OneDriveItemID(drive: place.foreignDriveID, item: item.id)
        var body: [String: JSONValue] = ["type": .text(type)]
        if let scope { body["scope"] = .text(scope.graphName) }
        if let password = options.password { body["password"] = .text(password) }
        if let expires = options.expires {
            guard let text = OneDriveDate.text(expires.rounded(to: .seconds(1))) else {
                throw CocoaError.unsupported("a link that ends then", path: path)
            }
            body["expirationDateTime"] = .text(text)
        }
        let answer: HTTPFileAnswer
        do {
            // A link without a password, for whom the service likes, is found by a second request if it was made.
            let request = try connection.request(
                .post,
                GraphAddress(drive: place.address.drive, id: item.id).route("/createLink"),
                .object(body),
                isIdempotent: options.password == nil && options.scope == nil
            )
            answer = try await connection.answer(to: request, about: path)
        } catch let error as OneDriveError {
            // The drive, or the item, has no such link.
            guard error.answeredStatusCode == 400 || error.reason == .unsupported else {
                throw error.mapped(whileWriting: error.reason != .noSuchItem)
            }
            throw CocoaError.file(
                .featureUnsupported,
                path: path,
                description: "one of the link's options is not possible here",
                underlying: error
            )
        }
        guard let permission = OneDrivePermission(try GraphConnection.decoded(JSONValue.self, from: answer.body))
        else {
            throw URLError.answer(.cannotParseResponse, description: "the server's words about a link make no sense")
        }
        let link = permission.link(of: id, at: target)
        let isNew = answer.head.status == .created
        if !isNew, !isSame(link, options) {
            throw CocoaError.file(
                .fileWriteFileExists,
                path: path,
                description: "there is another link to it",
                suggestion: "revoke that one first"
            )
        }
        let isForThem = scope == nil || link.scope == scope
        guard keeps(options, link), isForThem || (options.scope == nil && permission.scope == nil) else {
            if isNew { try await withdraw(link, to: path) }
            throw CocoaError.unsupported("one of the link's options", path: path)
        }
        return (permission, link)
    }

    private func keeps(_ options: ShareOptions, _ link: ShareLink) -> Bool {
        (link.access ?? .read) == options.access && (options.password == nil || link.hasPassword == true)
            && (options.expires == nil || link.expires != nil)
    }

    /// Returns whether a link that exists asks no more of its holder than was wanted, and works for the same people.
    private func isSame(_ link: ShareLink, _ options: ShareOptions) -> Bool {
        // Nobody can tell the password of that link.
        options.expires.map { $0.rounded(to: .seconds(1)) } == link.expires && options.password == nil
            && link.hasPassword != true && (options.scope == nil || link.scope == options.scope)
    }

    // MARK: Listing

    /// Asks for the links to an item.
    private func links(to file: FileObject) async throws -> [ShareLink] {
        guard let text = file.id else { return [] }
        let id = OneDriveItemID(text)
        let address = try await place(of: id).address
        var page = try await connection.call(.get, address.route("/permissions"), about: file.path)
        var permissions = page["value"].items
        var seen: Set<String> = []
        while let next = page["@odata.nextLink"].string {
            guard seen.insert(next).inserted else { throw URLError.repeatedPage() }
            page = try await connection.follow(next, as: JSONValue.self, about: file.path)
            permissions += page["value"].items
        }
        return permissions.compactMap { OneDrivePermission($0) }.filter { !$0.isInherited }
            .map { $0.link(of: id, at: file.path) }
    }
}
