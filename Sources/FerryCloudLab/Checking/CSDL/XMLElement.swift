/// An element of an XML document; texts between elements are left out.
struct XMLElement: Sendable, Equatable {
    /// The name as it is written, with its prefix.
    var name: String
    var attributes: [String: String] = [:]
    var children: [XMLElement] = []
}

extension XMLElement {
    /// Reads a document.
    ///
    /// Comments, processing instructions and texts are passed over, documents with a type declaration are refused: that
    /// is enough for metadata documents.
    ///
    /// - Parameters:
    ///   - bytes: The document in UTF-8.
    ///   - file: The name of the file, for errors.
    /// - Returns: The outermost element.
    /// - Throws: ``DescriptionError``.
    static func parse(_ bytes: some Sequence<UInt8>, file: String) throws(DescriptionError) -> XMLElement {
        var reader = XMLReader(Array(bytes), file: file)
        return try reader.document()
    }
}
