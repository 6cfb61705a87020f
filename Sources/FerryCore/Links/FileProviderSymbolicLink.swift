/// A storage that has symbolic links.
public protocol FileProviderSymbolicLink: FileProviderBasic {
    /// Makes a symbolic link.
    ///
    /// - Parameters:
    ///   - path: Where the link will be; nothing may exist there.
    ///   - destination: The text of the link, kept as it is: relative to the link's folder, or absolute. What it leads to
    ///     need not exist.
    /// - Throws: `CocoaError.fileWriteFileExists`; `.fileNoSuchFile` without a folder to put it in.
    func create(symbolicLink path: ItemPath, withDestination destination: String) async throws

    /// The text of a symbolic link.
    ///
    /// - Parameter path: The link.
    /// - Returns: Its text, as it was written.
    /// - Throws: `CocoaError.fileReadUnknown` for anything but a link.
    func destination(ofSymbolicLink path: ItemPath) async throws -> String
}
