public import FerryCore
import Foundation

extension WebDAVPropertyName {
    static func ownCloud(_ name: String) -> Self { Self(name, namespace: "http://owncloud.org/ns") }
    static func nextcloud(_ name: String) -> Self { Self(name, namespace: "http://nextcloud.org/ns") }

    static let fileID = ownCloud("fileid")
    static let permissions = ownCloud("permissions")
    static let size = ownCloud("size")
    static let favorite = ownCloud("favorite")
    static let checksums = ownCloud("checksums")
    static let commentCount = ownCloud("comments-count")
    static let unreadComments = ownCloud("comments-unread")
    static let owner = ownCloud("owner-id")
    static let shareTypes = ownCloud("share-types")
    static let systemTags = nextcloud("system-tags")
    static let hasPreview = nextcloud("has-preview")
    static let containedFiles = nextcloud("contained-file-count")
    static let containedFolders = nextcloud("contained-folder-count")
    static let uploadTime = nextcloud("upload_time")
}

/// The properties that these servers have of an item beyond WebDAV.
extension NextcloudFileProvider {
    /// The properties that listings ask for; each costs the server something.
    public var additionalProperties: [WebDAVPropertyName] {
        let common: [WebDAVPropertyName] = [
            .contentType, .fileID, .permissions, .size, .favorite, .checksums, .owner, .shareTypes, .commentCount,
            .unreadComments,
        ]
        guard facts.product == .nextcloud else { return common }
        return common + [.systemTags, .hasPreview, .containedFiles, .containedFolders, .uploadTime]
    }

    /// Adds to an item what the server told.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - properties: All that the server told.
    public func complete(_ item: inout FileObject, with properties: WebDAVProperties) {
        item.id = properties[.fileID]?.text
        if item.isDirectory, let size = properties[.size]?.integer, size >= 0 { item.size = size }
        if let permissions = properties[.permissions]?.text, !permissions.isEmpty {
            item.extras[.cloudPermissions] = permissions
            // W writes to a file; C and K create in a folder.
            let writing: Set<Character> = item.isDirectory ? ["C", "K"] : ["W"]
            if !permissions.contains(where: { writing.contains($0) }) { item.extras[.isReadOnly] = true }
        }
        if properties[.favorite]?.integer == 1 { item.extras[.isFavorite] = true }
        if let checksums = properties[.checksums], !item.isDirectory {
            item.extras[.checksums] = ChecksumKind.checksums(in: checksums.children.map(\.text))
        }
        item.extras[.owner] = properties[.owner].flatMap { $0.text.isEmpty ? nil : $0.text }
        let tags = properties[.systemTags]?.children.map(\.text) ?? []
        if !tags.isEmpty { item.extras[.tags] = tags }
        if let count = properties[.commentCount]?.integer, count > 0 { item.extras[.commentCount] = count }
        if let count = properties[.unreadComments]?.integer, count > 0 { item.extras[.unreadCommentCount] = count }
        if properties[.hasPreview]?.text == "true" { item.extras[.hasPreview] = true }
        if let files = properties[.containedFiles]?.integer {
            item.extras[.childCount] = files + (properties[.containedFolders]?.integer ?? 0)
        }
        if properties[.shareTypes]?.children.contains(where: { $0.integer == 3 }) == true {
            item.extras[.hasPublicLink] = true
        }
    }
}

extension FileObjectExtras.Key where Value == String {
    /// The user's permissions, in Nextcloud's letters: `S` shared with us, `R` share, `G` read, `D` delete, `NV` rename
    /// and move, `W` write, `CK` create.
    public static var cloudPermissions: Self { Self("nextcloud.permissions") }
}

extension FileObjectExtras.Key where Value == Bool {
    /// The user has it among the favourites.
    public static var isFavorite: Self { Self("nextcloud.favorite") }

    /// The server can make a picture of it.
    public static var hasPreview: Self { Self("nextcloud.hasPreview") }

    /// A public link leads to it.
    public static var hasPublicLink: Self { Self("nextcloud.hasPublicLink") }
}

extension FileObjectExtras.Key where Value == [String] {
    /// The names of its tags.
    public static var tags: Self { Self("nextcloud.tags") }
}

extension FileObjectExtras.Key where Value == Int64 {
    /// The number of its comments.
    public static var commentCount: Self { Self("nextcloud.comments") }

    /// The number of its comments that the user has not read.
    public static var unreadCommentCount: Self { Self("nextcloud.unreadComments") }
}
