public import FerryCore
import FerryHTTP
public import Foundation
import HTTPTypes
import Synchronization

extension OneDriveFileProvider {
    /// Returns the item that a link leads to which somebody has sent, and keeps the access to it.
    ///
    /// See <https://learn.microsoft.com/graph/api/shares-get>.
    ///
    /// - Parameter url: The link, as it was sent.
    /// - Returns: The item; where it is not in the provider's drive, its path is an `id:` path by which it can be read.
    /// - Throws: `CocoaError.fileNoSuchFile`, `.fileReadNoPermission`; errors of the connection.
    public func item(atLink url: URL) async throws -> FileObject {
        try await mappingRefusals {
            let fields: HTTPFields = [.known("Prefer"): "redeemSharingLink"]
            let item: GraphItem
            do {
                item = try await connection.call(
                    .get,
                    "/shares/\(Self.sharingToken(of: url))/driveItem",
                    as: GraphItem.self,
                    about: .root,
                    fields: fields
                )
            } catch let error as OneDriveError where error.reason == .noSuchItem {
                // The link leads nowhere, which says nothing about the drive.
                throw CocoaError.noSuchItem(.root, underlying: error)
            }
            let own = try await ownDriveID()
            let driveID = item.parentReference?.driveID ?? item.shortcutTarget?.drive
            let isOwn = driveID == nil || driveID?.lowercased() == own?.lowercased()
            let id = OneDriveItemID(drive: isOwn ? nil : driveID, item: item.id)
            return try fileObject(item, at: id.path, foreignDriveID: id.drive)
        }
    }

    /// Returns the identifier of the provider's drive; it is asked for unless an answer has told it.
    ///
    /// - Returns: The identifier.
    /// - Throws: ``OneDriveError``; errors of the connection.
    func ownDriveID() async throws -> String? {
        if let known = drive.withLock({ $0.id }) { return known }
        let answer = try await connection.call(.get, try await top().drive, about: .root)
        let id = answer["id"].string
        drive.withLock { $0.id = $0.id ?? id }
        return id
    }

    /// Returns the name that the API has for a link.
    ///
    /// - Parameter url: The link.
    /// - Returns: `u!` and the link in base 64, in the form for URLs, without padding.
    static func sharingToken(of url: URL) -> String {
        let base64 = Data(url.absoluteString.utf8).base64EncodedString()
        let token = base64.replacing("+", with: "-").replacing("/", with: "_").prefix { $0 != "=" }
        return "u!\(token)"
    }
}
