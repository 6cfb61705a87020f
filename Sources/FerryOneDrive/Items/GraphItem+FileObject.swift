public import FerryCore
import Foundation

extension GraphItem {
    /// Returns the item that this describes.
    ///
    /// - Parameters:
    ///   - folder: The folder that holds it.
    ///   - driveType: The type of the drive, where the item does not say.
    ///   - foreignDriveID: The identifier of its drive, where that is another one than the provider's.
    /// - Returns: The item; `nil` for a deletion, and for what has no name.
    func item(in folder: ItemPath, driveType: OneDriveDriveType?, foreignDriveID: String? = nil) -> FileObject? {
        guard !isDeleted, let name else { return nil }
        let remote = remoteItem
        let file = file ?? remote?.file
        let kind = kind
        let dates = fileSystemInfo ?? remote?.fileSystemInfo
        let type = parentReference?.driveType.map { OneDriveDriveType($0) } ?? driveType
        var item = FileObject(
            name: OneDriveName.decode(name, in: type),
            in: folder,
            type: kind,
            size: kind == .file ? size ?? remote?.size : nil,
            modifiedDate: OneDriveDate.date(
                dates?.lastModifiedDateTime ?? lastModifiedDateTime ?? remote?.lastModifiedDateTime
            ),
            creationDate: OneDriveDate.date(dates?.createdDateTime ?? createdDateTime ?? remote?.createdDateTime),
            id: OneDriveItemID(drive: foreignDriveID, item: id).text,
            // A shortcut's own tag says nothing of the file that it leads to.
            eTag: kind == .file ? (remote == nil ? eTag : remote?.eTag) : nil,
            contentType: kind == .file ? file?.mimeType : nil
        )
        item.parentID = parentReference?.id.map { OneDriveItemID(drive: foreignDriveID, item: $0).text }
        // The service's eTag changes with anything, its cTag with the content.
        item.metadataVersion = eTag
        if kind == .file, let sums = file?.hashes?.checksums { item.extras[.checksums] = sums }
        if let target = shortcutTarget { item.extras[.shortcutTarget] = target.text }
        if let type = (package ?? remote?.package)?.type { item.extras[.packageType] = type }
        if shared != nil || remote?.shared != nil { item.extras[.isShared] = true }
        if malware != nil { item.extras[.isMalware] = true }
        if let count = (self.folder ?? remote?.folder)?.childCount { item.extras[.childCount] = count }
        return item
    }

    /// The kind of the item; of a shortcut that of what it leads to.
    var kind: FileObject.Kind {
        if package != nil || remoteItem?.package != nil { return .other }
        if isFolder || remoteItem?.folder != nil { return .directory }
        return file != nil || remoteItem?.file != nil ? .file : .other
    }

    /// The item of another drive that a shortcut leads to; `nil` for anything else.
    var shortcutTarget: OneDriveItemID? {
        guard let id = remoteItem?.id, let drive = remoteItem?.parentReference?.driveID else { return nil }
        return OneDriveItemID(drive: drive, item: id)
    }
}

extension GraphItem.Hashes {
    /// The checksums that there are; hexadecimal ones in lower case.
    var checksums: [ChecksumKind: String]? {
        var sums: [ChecksumKind: String] = [:]
        if let quickXorHash, !quickXorHash.isEmpty { sums[.quickXor] = quickXorHash }
        if let sha1Hash, !sha1Hash.isEmpty { sums[.sha1] = sha1Hash.lowercased() }
        if let sha256Hash, !sha256Hash.isEmpty { sums[.sha256] = sha256Hash.lowercased() }
        return sums.isEmpty ? nil : sums
    }
}

extension FileObjectExtras.Key where Value == String {
    /// The identifier of the item of another drive that a shortcut leads to, as an `id:` path takes it.
    public static var shortcutTarget: Self { Self("onedrive.shortcutTarget") }

    /// The type of a package, such as `oneNote`: neither a file nor a folder, and opened by its own app only.
    public static var packageType: Self { Self("onedrive.package") }
}

extension FileObjectExtras.Key where Value == Bool {
    /// The item is shared with others, or by others.
    public static var isShared: Self { Self("onedrive.shared") }

    /// The service takes the file for malware, and does not give it out.
    public static var isMalware: Self { Self("onedrive.malware") }
}
