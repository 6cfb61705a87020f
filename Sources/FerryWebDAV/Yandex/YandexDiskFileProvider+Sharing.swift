public import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes

/// Public links: an item is published by a property, whose value the service sets to the link.
///
/// <https://yandex.com/dev/disk/doc/en/reference/publish>
extension YandexDiskFileProvider: FileProviderSharing {
    private static let publicURL = WebDAVPropertyName("public_url", namespace: "urn:yandex:disk:meta")

    /// Publishes an item; one that is public keeps its link.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - options: Reading by anybody, without an end or a password, is all that the service has here.
    /// - Returns: The link.
    /// - Throws: `CocoaError.fileNoSuchFile`; `.featureUnsupported` for an option, and where the service makes no link.
    public func publicLink(to path: ItemPath, options: ShareOptions) async throws -> ShareLink {
        guard [ShareOptions(), ShareOptions(scope: .anyone)].contains(options) else {
            throw CocoaError.unsupported("options of public links", path: path, isPlural: true)
        }
        let value = "<y:public_url xmlns:y=\"urn:yandex:disk:meta\">true</y:public_url>"
        guard let url = try await change("<d:set><d:prop>\(value)</d:prop></d:set>", path) else {
            throw CocoaError.unsupported("making public links", path: path)
        }
        return Self.link(url, path)
    }

    /// The public link of an item.
    ///
    /// - Parameter path: The item; the service can't list all links.
    /// - Returns: The link, if the item is public.
    /// - Throws: `CocoaError.fileNoSuchFile`; `.featureUnsupported` without an item.
    public func publicLinks(to path: ItemPath?) async throws -> [ShareLink] {
        guard let path else { throw CocoaError.unsupported("a list of all public links", path: .root) }
        let properties = try await properties(of: path, [Self.publicURL])
        return Self.url(properties).map { [Self.link($0, path)] } ?? []
    }

    /// Ends the public link of an item.
    ///
    /// - Parameter link: The link.
    /// - Throws: `CocoaError.fileNoSuchFile`, also if the item is not public, or by another link.
    public func revoke(_ link: ShareLink) async throws {
        guard try await publicLinks(to: link.path).contains(where: { $0.id == link.id }) else {
            throw CocoaError.noSuchItem(link.path)
        }
        let value = "<y:public_url xmlns:y=\"urn:yandex:disk:meta\"/>"
        if try await change("<d:remove><d:prop>\(value)</d:prop></d:remove>", link.path) != nil {
            throw CocoaError.unsupported("ending this public link", path: link.path)
        }
    }

    /// Changes the property, and reads its new value from the answer.
    private func change(_ change: String, _ path: ItemPath) async throws -> URL? {
        let document =
            #"<?xml version="1.0" encoding="utf-8"?><d:propertyupdate xmlns:d="DAV:">"# + change
            + "</d:propertyupdate>"
        let isFolder = try await attributesOfItem(path: path).isDirectory
        var request = connection.changeRequest(
            .proppatch,
            path,
            isFolder: isFolder,
            fields: [.contentType: "application/xml; charset=utf-8"],
            isIdempotent: true
        )
        request.body = HTTPRequestBody(document)
        let reply = try await connection.change(request, about: path)
        guard reply.status.code == 207 else {
            throw try await HTTPServerError.read(reply, path: path).mapped(whileWriting: true)
        }
        let data = try await reply.body.collect(upTo: 1 << 20)
        let entries = try MultistatusParser.entries(of: data, others: [Self.publicURL])
        guard let entry = entries.first(where: \.isSuccess) else {
            throw CocoaError.unsupported("public links", path: path, isPlural: true)
        }
        return Self.url(entry.properties)
    }

    private static func url(_ properties: WebDAVProperties) -> URL? {
        guard let text = properties[publicURL]?.text, text.hasPrefix("https://") || text.hasPrefix("http://") else {
            return nil
        }
        return URL(string: text)
    }

    private static func link(_ url: URL, _ path: ItemPath) -> ShareLink {
        ShareLink(id: url.absoluteString, path: path, url: url, access: .read, hasPassword: false, scope: .anyone)
    }
}
