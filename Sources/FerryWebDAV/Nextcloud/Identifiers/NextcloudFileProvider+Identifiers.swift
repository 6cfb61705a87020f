import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes

/// Items by their identifiers, which stay while the items move.
extension NextcloudFileProvider {
    /// Where an item is.
    ///
    /// - Parameter path: A path, which is returned as it is, an identifier, or a path below one: there, nothing need be.
    /// - Returns: The path by names.
    /// - Throws: `CocoaError.fileNoSuchFile` if no item in our folder has the identifier; `.featureUnsupported` for a
    ///   revision.
    func located(_ path: ItemPath) async throws -> ItemPath {
        guard path.beginsWithIdentifier else {
            try connection.checkAddressable(path)
            return path
        }
        guard path.isIdentifier else { return try await located(path.parent).appending(component: path.lastComponent) }
        guard let text = path.identifier else { throw CocoaError.unsupported("addressing by revision", path: path) }
        // The server takes anything else for a number, too.
        guard let identifier = Int64(text), identifier > 0 else { throw CocoaError.noSuchItem(path) }
        guard let found = try await find(identifier) else { throw CocoaError.noSuchItem(path) }
        return found
    }

    /// Returns where an item is to be made.
    ///
    /// - Parameter path: A path by names, from the root or from an identifier.
    /// - Returns: The path by names from the root.
    /// - Throws: `CocoaError.featureUnsupported` for an identifier alone; `.fileNoSuchFile` if no item has the identifier;
    ///   `.fileWriteInvalidFileName`.
    func located(new path: ItemPath) async throws -> ItemPath {
        if path.isIdentifier { throw CocoaError.unsupported("writing to an identifier", path: path) }
        let place = path.beginsWithIdentifier ? try await located(path) : path
        try requireName(of: place)
        try connection.checkAddressable(place)
        return place
    }

    /// Returns where a file is to be written; an identifier leads to the file that it names.
    ///
    /// - Parameter path: The file.
    /// - Returns: The path by names from the root.
    /// - Throws: As ``located(_:)`` and ``located(new:)``.
    func located(toWrite path: ItemPath) async throws -> ItemPath {
        path.isIdentifier ? try await located(path) : try await located(new: path)
    }

    /// The path of the item of a number, in our folder; `nil` if the server knows none there.
    func find(_ identifier: Int64) async throws -> ItemPath? {
        guard let entry = try await entry(of: identifier, below: place.folder) else { return nil }
        return try understood(path(of: entry))
    }

    /// Where the item of a number is on the server, wherever in the user's files; `nil` if the server knows none.
    func target(of identifier: Int64) async throws -> String? {
        guard let entry = try await entry(of: identifier, below: .root) else { return nil }
        return try understood(place.target(ofFile: entry.hrefText, of: userID))
    }

    /// An address that can't be read is no proof that there is no item.
    private func understood<Address>(_ address: Address?) throws -> Address {
        guard let address else {
            throw URLError.answer(.cannotParseResponse, description: "the item's address makes no sense")
        }
        return address
    }

    /// Returns what the server says of the item of a number, in a folder of the user's files; `nil` if it knows none
    /// there.
    private func entry(of identifier: Int64, below folder: ItemPath) async throws -> MultistatusEntry? {
        let scope = "/files/\(userID)\(folder.isRoot ? "" : folder.string)"
        let question =
            """
            <?xml version="1.0" encoding="utf-8"?>\
            <d:searchrequest xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"><d:basicsearch>\
            <d:select>\(WebDAVPropertyRequest.prop([.fileID]))</d:select>\
            <d:from><d:scope><d:href>\(scope.xmlEscaped)</d:href><d:depth>infinity</d:depth></d:scope></d:from>\
            <d:where><d:eq><d:prop><oc:fileid/></d:prop><d:literal>\(identifier)</d:literal></d:eq></d:where>\
            <d:orderby/></d:basicsearch></d:searchrequest>
            """
        let entries = try await entries(
            .search,
            "\(place.prefix)/remote.php/dav/",
            [.contentType: "text/xml; charset=utf-8"],
            HTTPRequestBody(question),
            [.fileID],
            about: ItemPath(identifier: String(identifier))
        )
        return entries.first { $0.properties[.fileID]?.integer == identifier }
    }

    /// The path of an entry of the user's files; `nil` for one outside of our folder.
    func path(of entry: MultistatusEntry) -> ItemPath? {
        guard var reader = try? HrefReader(connection, folder: .root, isDeep: true) else { return nil }
        switch try? reader.place(of: entry.href) {
        case .item(let name, let folder)?: return folder.appending(name)
        case .itself?: return .root
        case nil: return nil
        }
    }
}
