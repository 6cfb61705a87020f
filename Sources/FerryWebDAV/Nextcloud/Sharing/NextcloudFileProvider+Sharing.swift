public import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes

/// Public links through the OCS share API.
///
/// Their URLs are the server's own, but for one that lost the port, or the scheme, under which we reach the server. A
/// link expires with a day, in the server's time zone, not with a second.
extension NextcloudFileProvider: FileProviderSharing {
    private static let shares = "apps/files_sharing/api/v1/shares"

    /// Makes a public link.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - options: How it is to be made.
    /// - Returns: The link.
    /// - Throws: As ``publicLink(to:options:label:)``.
    public func publicLink(to path: ItemPath, options: ShareOptions) async throws -> ShareLink {
        try await publicLink(to: path, options: options, label: nil)
    }

    /// Makes a public link with a label, which only its owner sees.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - options: How it is to be made.
    ///   - label: The label.
    /// - Returns: The link.
    /// - Throws: `CocoaError.fileNoSuchFile`; `.featureUnsupported` for an option that the server ignores, for a link
    ///   that works for some people only, and where the server makes no links; errors of the connection.
    public func publicLink(to path: ItemPath, options: ShareOptions, label: String?) async throws -> ShareLink {
        guard facts.makesLinks else { throw CocoaError.unsupported("making public links", path: path) }
        try requireScope(options, path)
        let item = try await attributesOfItem(path: path)
        var form = [
            (name: "path", value: serverPath(item.path)), (name: "shareType", value: "3"),
            (name: "permissions", value: String(Self.permissions(options.access, isFolder: item.isDirectory))),
        ]
        if let password = options.password { form.append((name: "password", value: password)) }
        if let expires = options.expires { form.append((name: "expireDate", value: Self.day(expires))) }
        if let label { form.append((name: "label", value: label)) }
        let data = try await api.call(.post, Self.shares, form: form, about: path)
        let link = try link(data)
        guard keeps(options, link) else {
            try await revoke(link)
            throw CocoaError.unsupported("one of the link's options", path: path)
        }
        return link
    }

    /// The public links that exist.
    ///
    /// - Parameter path: The item they lead to; `nil` for all items.
    /// - Returns: Links in the server's order.
    /// - Throws: `CocoaError.fileNoSuchFile`; errors of the connection.
    public func publicLinks(to path: ItemPath?) async throws -> [ShareLink] {
        var query: [(name: String, value: String)] = []
        if let path {
            query = [("path", serverPath(try await located(path))), ("reshares", "true")]
        }
        let data = try await api.call(.get, Self.shares, query: query, about: path ?? .root)
        // Other kinds of shares are between people; links may lead to items outside of our folder.
        return data.items.filter { $0["share_type"].integer == 3 }.compactMap { try? link($0) }
    }

    /// Ends a public link.
    ///
    /// - Parameter link: The link.
    /// - Throws: `CocoaError.fileNoSuchFile` if it does not exist.
    public func revoke(_ link: ShareLink) async throws {
        _ = try await api.call(.delete, "\(Self.shares)/\(link.id.formEscaped)", about: link.path)
    }

    /// Changes a public link, whose URL stays.
    ///
    /// - Parameters:
    ///   - link: The link.
    ///   - options: How it is to be from now on; a password, or an end, that is `nil` is taken away.
    ///   - label: The label; `nil` to leave it as it is.
    /// - Returns: The link as it is now.
    /// - Throws: `CocoaError.fileNoSuchFile` if it does not exist; `.featureUnsupported` for an option that the server
    ///   ignores.
    public func update(_ link: ShareLink, options: ShareOptions, label: String? = nil) async throws -> ShareLink {
        try requireScope(options, link.path)
        let isFolder = try await attributesOfItem(path: link.path).isDirectory
        // One value in each request: older servers look at the first only.
        var changes = [
            ("permissions", String(Self.permissions(options.access, isFolder: isFolder))),
            ("expireDate", options.expires.map(Self.day) ?? ""), ("password", options.password ?? ""),
        ]
        if let label { changes.append(("label", label)) }
        var changed = link
        for (name, value) in changes {
            let data = try await api.call(
                .put,
                "\(Self.shares)/\(link.id.formEscaped)",
                form: [(name: name, value: value)],
                about: link.path
            )
            changed = try self.link(data)
        }
        guard keeps(options, changed) else {
            throw CocoaError.unsupported("one of the link's options", path: link.path)
        }
        return changed
    }

    /// Throws `CocoaError.featureUnsupported` unless a link for anybody will do: the server makes no others.
    private func requireScope(_ options: ShareOptions, _ path: ItemPath) throws {
        guard options.scope ?? .anyone == .anyone else {
            throw CocoaError.unsupported("a link that works for some people only", path: path)
        }
    }

    // MARK: Reading what the server says

    private func link(_ data: OCSValue) throws -> ShareLink {
        guard let id = data["id"].text, let url = url(data),
            let path = data["path"].text.flatMap({ ItemPath($0) })?.relative(to: place.folder)
        else {
            throw URLError.answer(.cannotParseResponse, description: "the server's words about a link make no sense")
        }
        let password = data["password"].text ?? data["share_with"].text
        return ShareLink(
            id: id,
            path: path,
            url: url,
            access: data["permissions"].integer.map { $0 & 0b1110 == 0 ? .read : .edit },
            expires: data["expiration"].text.flatMap(Self.date),
            hasPassword: password != nil,
            scope: .anyone
        )
    }

    private func url(_ data: OCSValue) -> URL? {
        data["url"].text.flatMap(place.published)
            ?? data["token"].text.flatMap {
                URL(string: place.origin.url("\(place.prefix)/index.php/s/\($0.formEscaped)"))
            }
    }

    private func keeps(_ options: ShareOptions, _ link: ShareLink) -> Bool {
        link.access == options.access && (options.password == nil || link.hasPassword == true)
            && (options.expires == nil || link.expires != nil)
    }

    /// 1 to read, 2 to change, 4 to create, 8 to remove.
    private static func permissions(_ access: ShareAccess, isFolder: Bool) -> Int {
        switch access {
        case .read: 1
        case .edit: isFolder ? 15 : 3
        }
    }

    /// The path of an item as the API knows it: from the top of the user's files.
    func serverPath(_ path: ItemPath) -> String {
        place.folder.appending(path: path).string
    }

    private static func day(_ date: Date) -> String {
        String(date.ISO8601Format(.iso8601.year().month().day()).prefix(10))
    }

    private static func date(_ text: String) -> Date? {
        try? Date(String(text.prefix(10)), strategy: .iso8601.year().month().day())
    }
}
