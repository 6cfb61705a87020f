import FerryCore
import FerryHTTP
import Foundation

/// A provider that asks for some properties of each item instead of the usual ones.
struct SelectedProperties: WebDAVProvider {
    static let type = WebDAVFileProvider.type

    let base: any WebDAVProvider
    let names: [WebDAVPropertyName]

    /// Selects properties.
    ///
    /// - Parameters:
    ///   - base: The provider that asks.
    ///   - keys: The properties to ask for of each item, by Foundation's keys; none for the usual ones.
    init(_ base: any WebDAVProvider, _ keys: [URLResourceKey]) {
        self.base = base
        let usual = WebDAVPropertyRequest.item
        let chosen = Set(keys.flatMap { Self.properties[$0] ?? [] })
        // The kind of an item is in every list.
        names =
            keys.isEmpty
            ? usual
            : usual.filter { $0.name == "resourcetype" || chosen.contains($0.name) }
                + ["getcontenttype"].filter(chosen.contains).map { WebDAVPropertyName($0) }
    }

    private static let properties: [URLResourceKey: [String]] = [
        .fileSizeKey: ["getcontentlength"], .totalFileSizeKey: ["getcontentlength"],
        .contentModificationDateKey: ["getlastmodified"], .creationDateKey: ["creationdate"],
        .generationIdentifierKey: ["getetag"], .typeIdentifierKey: ["getcontenttype"],
    ]

    var connection: WebDAVConnection { base.connection }
    var credential: FileProviderCredential? { base.credential }
    var capabilities: FileProviderCapabilities { base.capabilities }

    func listingRequest(path: ItemPath, page token: String?) async throws -> HTTPFileRequest {
        try connection.propfindRequest(path, isFolder: true, depth: .members, WebDAVPropertyRequest(names))
    }
}
