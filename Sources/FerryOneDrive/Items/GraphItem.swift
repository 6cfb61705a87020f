import FerryHTTP

/// An item as the API describes it: a file, a folder, a package, a shortcut to another drive, or what was deleted.
///
/// No member is certain to be there but the identifier. See <https://learn.microsoft.com/graph/api/resources/driveitem>.
struct GraphItem: Decodable, Sendable, Hashable {
    let id: String
    let name: String?
    let size: Int64?
    let eTag: String?
    let cTag: String?
    let createdDateTime: String?
    let lastModifiedDateTime: String?
    let fileSystemInfo: FileSystemInfo?
    let parentReference: GraphReference?
    let file: FileFacet?
    let folder: FolderFacet?
    let package: PackageFacet?
    let root: JSONValue?
    let remoteItem: GraphRemoteItem?
    let deleted: JSONValue?
    let shared: JSONValue?
    let malware: JSONValue?
    let webURL: String?
    let image: JSONValue?
    let photo: JSONValue?
    let video: JSONValue?
    let audio: JSONValue?
    let location: JSONValue?

    /// A URL that gives the content without a login, for about an hour.
    let downloadURL: String?

    /// The dates that clients set.
    struct FileSystemInfo: Decodable, Sendable, Hashable {
        let createdDateTime: String?
        let lastModifiedDateTime: String?
    }

    /// The facet that makes an item a file.
    struct FileFacet: Decodable, Sendable, Hashable {
        let mimeType: String?
        let hashes: Hashes?
    }

    /// Checksums; which there are depends on the drive, and right after an upload there may be none.
    struct Hashes: Decodable, Sendable, Hashable {
        let quickXorHash: String?
        let sha1Hash: String?
        let sha256Hash: String?
    }

    /// The facet that makes an item a folder.
    struct FolderFacet: Decodable, Sendable, Hashable {
        let childCount: Int64?
    }

    /// The facet of what is neither a file nor a folder, such as a notebook.
    struct PackageFacet: Decodable, Sendable, Hashable {
        let type: String?
    }

    private enum CodingKeys: String, CodingKey {
        case id, name, size, eTag, cTag, createdDateTime, lastModifiedDateTime, fileSystemInfo, parentReference, file
        case folder, package, root, remoteItem, deleted, shared, malware, image, photo, video, audio, location
        case webURL = "webUrl"
        case downloadURL = "@microsoft.graph.downloadUrl"
    }

    /// A Boolean value that indicates whether it is a folder of this drive.
    var isFolder: Bool { folder != nil || root != nil }

    /// A Boolean value that indicates whether it tells of a deletion.
    var isDeleted: Bool { deleted != nil }
}

/// The place of an item.
struct GraphReference: Decodable, Sendable, Hashable {
    let driveID: String?
    let driveType: String?
    let id: String?
    let name: String?

    /// The folder's path from the top of its drive, percent-encoded, such as `/drive/root:/A`; missing in many answers.
    let path: String?

    private enum CodingKeys: String, CodingKey {
        case driveType, id, name, path
        case driveID = "driveId"
    }
}

/// The item of another drive that a shortcut leads to.
struct GraphRemoteItem: Decodable, Sendable, Hashable {
    let id: String?
    let name: String?
    let size: Int64?
    let eTag: String?
    let cTag: String?
    let fileSystemInfo: GraphItem.FileSystemInfo?
    let lastModifiedDateTime: String?
    let createdDateTime: String?
    let parentReference: GraphReference?
    let file: GraphItem.FileFacet?
    let folder: GraphItem.FolderFacet?
    let package: GraphItem.PackageFacet?
    let shared: JSONValue?
    let webURL: String?

    private enum CodingKeys: String, CodingKey {
        case id, name, size, eTag, cTag, fileSystemInfo, lastModifiedDateTime, createdDateTime, parentReference, file
        case folder, package, shared
        case webURL = "webUrl"
    }
}

/// A page of items; the last one of a list of changes has the link to the changes after it.
struct GraphPage: Decodable, Sendable {
    let value: [GraphItem]
    let nextLink: String?
    let deltaLink: String?

    private enum CodingKeys: String, CodingKey {
        case value
        case nextLink = "@odata.nextLink"
        case deltaLink = "@odata.deltaLink"
    }
}
