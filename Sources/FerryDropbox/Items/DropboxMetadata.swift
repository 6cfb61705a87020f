public import FerryCore
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

extension DropboxMetadata {
    /// Returns the item that this describes.
    ///
    /// - Parameter folder: The folder that holds it.
    /// - Returns: The item; `nil` for a deletion and for kinds that are not known.
    func item(in folder: ItemPath) -> FileObject? {
        guard isFolder || isFile else { return nil }
        var item = FileObject(
            name: DropboxPath.name(name),
            in: folder,
            type: isFolder ? .directory : symlinkInfo == nil ? .file : .symlink,
            // The file that a document is exported as has another length than the document.
            size: isFolder || isDownloadable == false ? nil : size,
            modifiedDate: isFolder ? nil : DropboxDate.date(clientModified),
            id: id.map { $0.hasPrefix("id:") ? String($0.dropFirst(3)) : $0 },
            eTag: isFolder ? nil : rev
        )
        if let contentHash, isDownloadable != false { item.extras[.checksums] = [.dropbox: contentHash] }
        if sharingInfo?.isReadOnly == true { item.extras[.isReadOnly] = true }
        if let target = symlinkInfo?.target { item.extras[.linkDestination] = target }
        if isDownloadable == false { item.extras[.exportFormat] = exportInfo?.exportAs ?? "" }
        if let id = sharingInfo?.sharedFolderID { item.extras[.sharedFolder] = id }
        return item
    }
}

extension FileObjectExtras.Key where Value == String {
    /// The format that a document without a content of its own is read in, such as `html`.
    public static var exportFormat: Self { Self("dropbox.exportAs") }

    /// The identifier of the shared folder that is mounted here.
    public static var sharedFolder: Self { Self("dropbox.sharedFolder") }
}

/// Times as the API writes them: whole seconds, in UTC.
enum DropboxDate {
    /// The times that files can be given.
    static let settable =
        Date(timeIntervalSince1970: 0)...Date(timeIntervalSince1970: 253_402_300_799)

    /// Returns the text for a time.
    ///
    /// - Parameter date: The time; its fraction of a second is left out.
    /// - Returns: Such as `2015-05-12T15:50:38Z`; `nil` for a time that the API can't have.
    static func text(_ date: Date) -> String? {
        guard settable.contains(date) else { return nil }
        return date.rounded(to: .seconds(1)).iso8601
    }

    /// Reads a time.
    ///
    /// - Parameter text: What the server says.
    /// - Returns: The time; `nil` if it makes no sense.
    static func date(_ text: String?) -> Date? {
        text.flatMap { Date(iso8601: $0) }
    }
}
