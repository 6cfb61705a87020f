package import NIOCore

/// All of a small file, and what was known of it when it was read.
package struct WholeFile: Sendable {
    /// The facts that the storage reported before the first byte.
    package var facts: FileContentFacts

    /// All bytes.
    package var contents: ByteBuffer

    /// Indicates whether it has extended attributes besides; `nil` if that is not known.
    package var hasExtendedAttributes: Bool?

    /// Makes a value.
    ///
    /// - Parameters:
    ///   - facts: The facts that the storage reported before the first byte.
    ///   - contents: All bytes.
    ///   - hasExtendedAttributes: `true` if it has extended attributes besides.
    package init(facts: FileContentFacts, contents: ByteBuffer, hasExtendedAttributes: Bool? = nil) {
        self.facts = facts
        self.contents = contents
        self.hasExtendedAttributes = hasExtendedAttributes
    }
}

/// A storage that gives a small file in one piece with much less effort than as a stream.
///
/// For who reads very many, and reads what fails once more as a stream: nothing is taken up again here where it broke.
package protocol FileProviderWholeReading: FileProviderBasic {
    /// Reads all of a file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - limit: Bytes at most.
    /// - Returns: The file; `nil` if it is better read as a stream, since it is longer. Where `facts.size` is `nil`, nobody
    ///   has said how long it is, and an answer that broke off may look like a whole one.
    /// - Throws: As ``FileProviderReadWriteProgressive/contentStream(path:range:reporting:)``; also for a line that broke.
    func wholeFile(path: ItemPath, upTo limit: Int) async throws -> WholeFile?
}

/// A storage that reads many small files at once, much quicker than one after the other.
package protocol FileProviderBulkReading: FileProviderBasic {
    /// Reads small files.
    ///
    /// - Parameters:
    ///   - paths: The files.
    ///   - limit: Bytes of one file at most.
    /// - Returns: For each, in the same order, the file as it is now; `nil` for what is longer, and for what can't be
    ///   read: as a stream it says why.
    /// - Throws: `CancellationError`.
    func wholeFiles(_ paths: [ItemPath], upTo limit: Int) async throws -> [WholeFile?]
}

extension WholeFile {
    /// The same as a stream.
    package var stream: FileContentStream {
        let once = OneTimeSource { [contents] in contents }
        return FileContentStream(facts: facts) { try await once.take()?() }
    }
}

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
