/// An operation, with the word under which the journal has it.
enum GraphRoute: String, Sendable {
    case batch = "$batch"
    case me, drives, drive, sharedWithMe
    case sites, site, recycleBin, share
    case item, update, delete
    case children, createFolder
    case content, upload, createUploadSession, commitUpload
    case copy, delta, search
    case createLink, permissions, permission, deletePermission
    case thumbnails, thumbnailSet, thumbnail, thumbnailContent
    case versions, version, versionContent, restoreVersion, deleteVersion
    case restore, permanentDelete
}

extension GraphRoute {
    /// A Boolean value that indicates whether the operation changes something.
    var isWriting: Bool {
        switch self {
        case .update, .delete, .createFolder, .upload, .createUploadSession, .commitUpload, .copy, .createLink,
            .deletePermission, .restoreVersion, .deleteVersion, .restore, .permanentDelete:
            true
        default: false
        }
    }

    /// The options that the address may have, without a dollar sign.
    var options: Set<String> {
        let conflict = GraphShape.conflictBehavior
        return switch self {
        case .me, .drives, .drive, .site, .share, .permissions, .permission, .thumbnails, .thumbnailSet, .thumbnail,
            .version, .createLink, .restore:
            ["select"]
        case .sites: ["select", "search"]
        case .item: ["select", "expand"]
        case .update, .createFolder, .upload, .commitUpload: ["select", "expand", conflict]
        case .createUploadSession, .copy: [conflict]
        case .children, .search: ["select", "expand", "top", "skiptoken", "orderby"]
        case .sharedWithMe: ["select", "top", "skiptoken", "allowexternal"]
        case .delta: ["select", "expand", "top", "token"]
        case .versions, .recycleBin: ["select", "top", "skiptoken"]
        case .content: ["AVOverride"]
        case .batch, .delete, .deletePermission, .thumbnailContent, .versionContent, .restoreVersion, .deleteVersion,
            .permanentDelete:
            []
        }
    }
}
