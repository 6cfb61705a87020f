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
