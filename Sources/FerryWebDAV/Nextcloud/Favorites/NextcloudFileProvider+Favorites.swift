public import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes

extension NextcloudFileProvider {
    /// Puts an item among the user's favourites, or takes it out.
    ///
    /// - Parameters:
    ///   - isFavorite: `true` to put it among them, `false` to take it out.
    ///   - path: The item.
    /// - Throws: `CocoaError.fileNoSuchFile`; `.featureUnsupported` where the server refuses.
    public func setFavorite(_ isFavorite: Bool, of path: ItemPath) async throws {
        let change =
            """
            <?xml version="1.0" encoding="utf-8"?>\
            <d:propertyupdate xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"><d:set><d:prop>\
            <oc:favorite>\(isFavorite ? 1 : 0)</oc:favorite></d:prop></d:set></d:propertyupdate>
            """
        let entries = try await entries(
            .proppatch,
            connection.target(try await located(path), isFolder: false),
            [.contentType: "application/xml; charset=utf-8"],
            HTTPRequestBody(change),
            [.favorite],
            about: path
        )
        guard entries.contains(where: \.hasProperties) else {
            throw CocoaError.unsupported("favourites", path: path, isPlural: true)
        }
    }

    /// The user's favourites in our folder, and in all below it.
    ///
    /// - Returns: Items in the server's order.
    /// - Throws: Errors of the connection.
    public func favorites() async throws -> [FileObject] {
        let names = WebDAVPropertyRequest.item + additionalProperties
        let question =
            """
            <?xml version="1.0" encoding="utf-8"?>\
            <oc:filter-files xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns">\(WebDAVPropertyRequest.prop(names))\
            <oc:filter-rules><oc:favorite>1</oc:favorite></oc:filter-rules></oc:filter-files>
            """
        let entries = try await entries(
            .report,
            connection.target(.root, isFolder: true),
            [.contentType: "application/xml; charset=utf-8"],
            HTTPRequestBody(question),
            additionalProperties,
            about: .root
        )
        return entries.compactMap { entry in path(of: entry).map { item(entry.properties, at: $0) } }
    }

    /// An item as the server's properties describe it.
    func item(_ properties: WebDAVProperties, at path: ItemPath) -> FileObject {
        var item = FileObject(path: path, type: properties.isCollection == true ? .directory : .file)
        if !item.isDirectory {
            item.size = properties.contentLength
            item.contentType = properties.contentType
        }
        item.modifiedDate = properties.modifiedDate
        item.eTag = properties.eTag
        complete(&item, with: properties)
        return item
    }
}
