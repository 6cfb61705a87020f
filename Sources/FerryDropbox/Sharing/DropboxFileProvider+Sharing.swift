public import FerryCore
import FerryHTTP
import Foundation

extension DropboxFileProvider: FileProviderSharing {
    /// Makes a public link, or returns the one that exists and is like it.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - options: How it is to be made.
    /// - Returns: The link.
    /// - Throws: `CocoaError.featureUnsupported` for an option that the account or the item lacks, such as a team;
    ///   `CocoaError.fileWriteFileExists` where another link exists that is not like it.
    public func publicLink(to path: ItemPath, options: ShareOptions) async throws -> ShareLink {
        let place = try await pathFromRoot(path)
        var settings: [String: JSONValue] = [:]
        if options.access == .edit { settings["access"] = "editor" }
        if let scope = options.scope { settings["audience"] = .text(scope.dropboxName) }
        if let password = options.password {
            settings["require_password"] = true
            settings["link_password"] = .text(password)
        }
        if let expires = options.expires {
            guard let text = DropboxDate.text(expires) else {
                throw CocoaError.unsupported("a link that ends then", path: path)
            }
            settings["expires"] = .text(text)
        }
        do {
            let answer = try await connection.call(
                "sharing/create_shared_link_with_settings",
                ["path": .text(DropboxPath.text(place)), "settings": settings.isEmpty ? .null : .object(settings)],
                about: path,
                isIdempotent: false
            )
            let link = try link(answer, to: place)
            guard keeps(options, link) else {
                try await withdraw(link, to: path)
                throw CocoaError.unsupported("one of the link's options", path: path)
            }
            return link
        } catch let error as DropboxError {
            switch error.tags.first {
            case "shared_link_already_exists":
                let links = try await publicLinks(to: place)
                if let link = links.first(where: { keeps(options, $0) && isPlain($0, options) }) { return link }
                throw CocoaError.file(
                    .fileWriteFileExists,
                    path: path,
                    description: "there is another public link to it",
                    suggestion: "revoke that one first",
                    underlying: error
                )
            case "settings_error": throw CocoaError.unsupported("one of the link's options", path: path)
            default: throw error.mapped(whileWriting: error.reason != .noSuchItem)
            }
        }
    }

    /// Returns the public links that exist.
    ///
    /// - Parameter path: The item they lead to; `nil` for all items.
    /// - Returns: Links in Dropbox's order.
    /// - Throws: Errors of the connection.
    public func publicLinks(to path: ItemPath?) async throws -> [ShareLink] {
        let place = if let path { try await pathFromRoot(path) } else { ItemPath?.none }
        return try await HTTPPageCursor<ShareLink>.all(of: "list of links") { cursor in
            var argument: [String: JSONValue] = [:]
            if let place { argument = ["path": .text(DropboxPath.text(place)), "direct_only": true] }
            if let cursor { argument["cursor"] = .text(cursor) }
            let answer = try await mappingRefusals {
                try await connection.call("sharing/list_shared_links", .object(argument), about: path ?? .root)
            }
            guard case .list(let found) = answer["links"] else {
                throw URLError.answer(.cannotParseResponse, description: "Dropbox does not tell the links")
            }
            let links = try found.compactMap { value -> ShareLink? in
                // A link to what is not in this account has no path here.
                let own = value["path_lower"].string.flatMap { text in
                    seen.item(at: DropboxPath.key(text))?.path ?? self.path(lower: text, name: value["name"].string)
                }
                return try (place ?? own).map { try link(value, to: $0) }
            }
            return HTTPPage(links, next: answer["has_more"] == true ? answer["cursor"].string : nil)
        }
    }

    /// Ends a public link.
    ///
    /// - Parameter link: The link.
    /// - Throws: `CocoaError.fileNoSuchFile` if it does not exist.
    public func revoke(_ link: ShareLink) async throws {
        do {
            _ = try await connection.call(
                "sharing/revoke_shared_link",
                ["url": .text(link.id)],
                about: link.path,
                isIdempotent: false
            )
        } catch let error as DropboxError {
            if ["shared_link_not_found", "shared_link_malformed"].contains(error.tags.first) {
                throw CocoaError.noSuchItem(link.path, underlying: error)
            }
            throw error.mapped(whileWriting: true)
        }
    }

    // MARK: Reading what the server says

    /// Returns the path of an item that a link leads to: its folders as they are known, its own name as it is spelt.
    private func path(lower text: String, name: String?) -> ItemPath? {
        guard let path = seen.path(text) else { return nil }
        guard let name, name.lowercased() == text.split(separator: "/").last?.lowercased() else { return path }
        return path.parent.appending(DropboxPath.name(name))
    }

    private func link(_ value: JSONValue, to path: ItemPath) throws -> ShareLink {
        guard let text = value["url"].string, let url = URL(string: text) else {
            throw URLError.answer(.cannotParseResponse, description: "the server's words about a link make no sense")
        }
        let permissions = value["link_permissions"]
        let visibility = permissions["resolved_visibility"].tag ?? permissions["effective_audience"].tag
        let hasPassword: Bool? =
            switch permissions["require_password"] {
            case .flag(let flag): flag
            default: visibility.map { $0.contains("password") }
            }
        return ShareLink(
            id: text,
            path: path,
            url: url,
            access: permissions["link_access_level"].tag.flatMap {
                switch $0 {
                case "viewer": .read
                case "editor": .edit
                default: nil
                }
            },
            expires: DropboxDate.date(value["expires"].string),
            hasPassword: hasPassword,
            scope: ShareScope(dropbox: permissions)
        )
    }

    private func keeps(_ options: ShareOptions, _ link: ShareLink) -> Bool {
        (link.access ?? .read) == options.access && (options.password == nil || link.hasPassword == true)
            && (options.expires == nil || link.expires != nil)
            && (options.scope == nil || link.scope == options.scope)
    }

    /// Returns whether a link that exists asks no more of its holder than was wanted.
    private func isPlain(_ link: ShareLink, _ options: ShareOptions) -> Bool {
        let sameEnd = options.expires.map { $0.rounded(to: .seconds(1)) } == link.expires
        // Nobody can tell the password of that link.
        return sameEnd && options.password == nil && link.hasPassword != true
    }
}
