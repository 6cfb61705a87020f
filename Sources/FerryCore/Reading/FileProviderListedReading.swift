/// A storage that can list a folder so that each listed file can be read with one request instead of two.
///
/// It is for callers that list a folder in order to read its files.
package protocol FileProviderListedReading: FileProviderReadWriteProgressive {
    /// Lists a folder whose files are to be read soon.
    ///
    /// - Parameter path: The folder.
    /// - Returns: The items of the folder, as ``FileProviderBasic/contentsOfDirectory(path:reporting:)`` returns them.
    /// - Throws: As that.
    func contentsToRead(path: ItemPath) async throws -> [FileObject]

    /// Opens a file for reading, once, as it was when ``contentsToRead(path:)`` listed it.
    ///
    /// - Parameter file: The file, as it was listed.
    /// - Returns: The bytes as they arrive; those of the file as it is now where its listing is too old.
    /// - Throws: As ``FileProviderReadWriteProgressive/contentStream(path:range:reporting:)``.
    func contentStream(ofListed file: FileObject) async throws -> FileContentStream
}
