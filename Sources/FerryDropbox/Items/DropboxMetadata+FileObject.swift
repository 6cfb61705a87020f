public import FerryCore
import Foundation

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
