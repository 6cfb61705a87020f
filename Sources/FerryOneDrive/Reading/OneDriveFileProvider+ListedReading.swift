import FerryCore

extension OneDriveFileProvider: FileProviderListedReading {
    /// Lists a folder whose files are to be read soon.
    ///
    /// The URLs of the contents come with the listing, for the files of the provider's own drive.
    /// See <https://learn.microsoft.com/graph/api/driveitem-get-content>.
    ///
    /// - Parameter path: The folder.
    /// - Returns: The items of the folder.
    /// - Throws: As ``directoryListing(path:)``.
    package func contentsToRead(path: ItemPath) async throws -> [FileObject] {
        // A scanner is asked for with each file.
        let pages = OneDrivePages(self, path: path, forReading: !options.overridesAntivirus)
        var items: [FileObject] = []
        while let page = try await pages.next() { items += page }
        return items
    }

    /// Opens a file for reading, once, as it was listed.
    ///
    /// - Parameter file: The file, as it was listed.
    /// - Returns: The bytes as they arrive.
    /// - Throws: As ``contentStream(path:range:reporting:)``.
    package func contentStream(ofListed file: FileObject) async throws -> FileContentStream {
        let item = listed.take(file, now: connection.now())
        let download = OneDriveDownload(self, path: file.path, listed: item.map { ($0, file) })
        return try await download.open(.all, reporting: nil)
    }
}
