/// A reason why a storage refuses to do something.
enum CloudError: Error, Equatable {
    case notFound
    case notFile
    case notFolder
    /// A file is in the way.
    case fileConflict
    /// A folder is in the way.
    case folderConflict
    /// A file is where a parent folder should be.
    case fileAncestor
    case insufficientSpace
    /// A folder can't be moved or copied into itself.
    case intoItself
    /// The name isn't allowed.
    case disallowedName
}
