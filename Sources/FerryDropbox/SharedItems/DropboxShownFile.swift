import FerryCore

/// A shared file, and the name under which it is shown.
struct DropboxShownFile: Sendable {
    /// The file.
    let file: DropboxSharedFile

    /// Its path.
    let path: ItemPath

    /// Returns the file as it is listed.
    ///
    /// - Parameter metadata: The description of the file; `nil` if it is not known.
    /// - Returns: The file, which can't be changed.
    func item(_ metadata: DropboxMetadata?) -> FileObject {
        var item = FileObject(path: path, type: .file)
        let known = metadata?.item(in: .root)
        (item.size, item.modifiedDate, item.eTag) = (known?.size, known?.modifiedDate, known?.eTag)
        item.extras[.isReadOnly] = true
        return item
    }
}
