public import FerryCore
import FerryHTTP
import Foundation

extension OneDriveFileProvider: FileProviderVersioning {
    /// Returns the earlier contents of a file, also those that it had under other names.
    ///
    /// See <https://learn.microsoft.com/graph/api/driveitem-list-versions>.
    ///
    /// - Parameter path: The file.
    /// - Returns: Versions, latest first, as many as the drive keeps.
    /// - Throws: `CocoaError.fileNoSuchFile`.
    public func versions(of path: ItemPath) async throws -> [FileVersion] {
        try await mappingRefusals {
            let route = try await fileAddress(of: path).route("/versions")
            let versions = try await HTTPPageCursor<JSONValue>.all(of: "versions") { link in
                let page =
                    if let link {
                        try await connection.follow(link, as: JSONValue.self, about: path)
                    } else {
                        try await connection.call(.get, route, about: path)
                    }
                return HTTPPage(page["value"].items, next: page["@odata.nextLink"].string)
            }
            // The first one is the present content.
            return versions.dropFirst().compactMap { version in
                guard let id = version["id"].string, !id.isEmpty else { return nil }
                return FileVersion(
                    id: id,
                    modifiedDate: OneDriveDate.date(version["lastModifiedDateTime"].string),
                    size: version["size"].integer
                )
            }
        }
    }

    /// Opens an earlier content for reading.
    ///
    /// - Parameters:
    ///   - version: The version.
    ///   - path: The file.
    /// - Returns: Its bytes.
    /// - Throws: `CocoaError.fileNoSuchFile` if the version is no longer kept.
    public func contentStream(of version: FileVersion, path: ItemPath) async throws -> FileContentStream {
        guard Self.isVersion(version.id) else { throw CocoaError.noSuchItem(path) }
        let (item, place) = try await mappingRefusals { try await graphFile(at: path, members: Self.versionMembers) }
        let file = OneDriveItemID(drive: place.foreignDriveID, item: item.id)
        return try await contentStream(
            path: OneDriveRevision(of: file, version: version.id).path,
            range: .all,
            reporting: nil
        )
    }

    /// Makes an earlier content the present one.
    ///
    /// See <https://learn.microsoft.com/graph/api/driveitemversion-restore>.
    ///
    /// - Parameters:
    ///   - version: The version.
    ///   - path: The file.
    /// - Throws: `CocoaError.fileNoSuchFile` if the version is no longer kept.
    public func restore(_ version: FileVersion, of path: ItemPath) async throws {
        guard Self.isVersion(version.id) else { throw CocoaError.noSuchItem(path) }
        do {
            let route = try await fileAddress(of: path).route("/versions/\(GraphAddress.encoded(version.id))")
            do {
                _ = try await connection.call(.post, route + "/restoreVersion", about: path, isIdempotent: false)
            } catch let error as OneDriveError where error.answeredStatusCode == 400 && error.reason != .noSuchItem {
                // To some drives, a version that never was is a malformed request, as others are for other reasons.
                do {
                    _ = try await connection.call(.get, route, about: path)
                } catch let missing as OneDriveError where missing.reason == .noSuchItem {
                    throw missing
                } catch is OneDriveError {
                    throw error
                }
                throw error
            }
        } catch let error as OneDriveError {
            throw error.mapped(whileWriting: error.reason != .noSuchItem)
        }
    }

    private static let versionMembers = "id,name,file,folder,package,root,parentReference,remoteItem"

    /// Returns a file's address by its identifier, which stays right when it is renamed meanwhile.
    private func fileAddress(of path: ItemPath) async throws -> GraphAddress {
        let (item, place) = try await graphFile(at: path, members: Self.versionMembers)
        switch item.kind {
        case .file: return GraphAddress(drive: place.address.drive, id: item.id)
        case .directory: throw CocoaError.isAFolder(path)
        default: throw Self.isAPackage(path)
        }
    }

    /// Returns whether a text can be the identifier of a version.
    private static func isVersion(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 200 && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x2F }
    }
}
