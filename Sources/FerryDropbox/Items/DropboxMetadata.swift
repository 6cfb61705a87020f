import FerryHTTP
import Foundation

/// An item as the API describes it: a file, a folder, or what was there and is deleted.
struct DropboxMetadata: Decodable, Sendable, Hashable {
    let tag: String?
    let name: String
    let id: String?
    let pathLower: String?
    let pathDisplay: String?
    let rev: String?
    let size: Int64?
    let clientModified: String?
    let serverModified: String?
    let contentHash: String?
    let isDownloadable: Bool?
    let exportInfo: ExportInfo?
    let symlinkInfo: SymlinkInfo?
    let sharingInfo: SharingInfo?
    let mediaInfo: JSONValue?

    struct ExportInfo: Decodable, Sendable, Hashable {
        let exportAs: String?

        private enum CodingKeys: String, CodingKey {
            case exportAs = "export_as"
        }
    }

    struct SymlinkInfo: Decodable, Sendable, Hashable {
        let target: String
    }

    struct SharingInfo: Decodable, Sendable, Hashable {
        let isReadOnly: Bool?
        let sharedFolderID: String?

        private enum CodingKeys: String, CodingKey {
            case isReadOnly = "read_only"
            case sharedFolderID = "shared_folder_id"
        }
    }

    private enum CodingKeys: String, CodingKey {
        case tag = ".tag"
        case name, id, rev, size
        case pathLower = "path_lower"
        case pathDisplay = "path_display"
        case clientModified = "client_modified"
        case serverModified = "server_modified"
        case contentHash = "content_hash"
        case isDownloadable = "is_downloadable"
        case exportInfo = "export_info"
        case symlinkInfo = "symlink_info"
        case sharingInfo = "sharing_info"
        case mediaInfo = "media_info"
    }

    /// Makes metadata of an item of which nothing but its name is known any more.
    ///
    /// - Parameter name: The name.
    init(name: String) {
        self.name = name
        (tag, id, pathLower, pathDisplay, rev, size) = (nil, nil, nil, nil, nil, nil)
        (clientModified, serverModified, contentHash, isDownloadable) = (nil, nil, nil, nil)
        (exportInfo, symlinkInfo, sharingInfo, mediaInfo) = (nil, nil, nil, nil)
    }

    /// A Boolean value that indicates whether it is a folder.
    var isFolder: Bool { tag == "folder" }

    /// A Boolean value that indicates whether it is a file; routes that answer of files only have no tag, or another.
    var isFile: Bool { !isFolder && !isDeleted && rev != nil }

    /// A Boolean value that indicates whether it tells of a deletion.
    var isDeleted: Bool { tag == "deleted" }

    /// The path by which the same item is known in any spelling.
    var key: String? { (pathLower ?? pathDisplay).map { DropboxPath.key($0) } }
}
