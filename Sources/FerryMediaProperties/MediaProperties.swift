package import FerryMediaWire

/// Reads what files say about themselves.
package enum MediaProperties {
    /// The kinds of files whose properties are read here.
    package enum Kind: Sendable, Hashable, CaseIterable {
        /// A picture.
        case jpeg, png, gif, webP, tiff, heif, svg
        /// An archive, or an office document.
        case zip
        /// A document.
        case pdf
        /// Sound or moving pictures.
        case stream
    }

    /// Reads a picture's, a ZIP file's or an office document's properties.
    ///
    /// - Parameters:
    ///   - kind: The kind of file, by its content.
    ///   - source: Its bytes.
    /// - Returns: The properties in the order in which to show them.
    /// - Throws: ``DamagedFile`` for a file that is not what it says; what reading throws.
    package static func read(_ kind: Kind, from source: any PropertySource) throws -> [PropertyEntry] {
        switch kind {
        case .jpeg: try picture(source) { try JPEGReader.read($0) }
        case .png: try picture(source) { try PNGReader.read($0) }
        case .gif: try picture(source) { try GIFReader.read($0) }
        case .webP: try picture(source) { try WebPReader.read($0) }
        case .tiff: try picture(source) { try TIFFReader.read($0) }
        case .heif: try picture(source) { try HEIFReader.read($0) }
        case .pdf: try PDFReader.read(source).entries
        case .stream: try StreamReader.read(source).entries
        case .svg: try picture(source) { try SVGReader.read($0) }
        case .zip: try ZIPReader.read(BufferedBytes(source, limit: archiveLimit)).entries
        }
    }

    /// Unpacks the beginning of what gzip has packed.
    ///
    /// - Parameters:
    ///   - packed: The beginning of the file.
    ///   - limit: How many unpacked bytes are wanted at most.
    /// - Returns: As many as there are; `nil` where nothing was packed.
    package static func unpacked(_ packed: [UInt8], upTo limit: Int) -> [UInt8]? {
        try? Inflating.zlib(packed, upTo: limit)
    }

    /// Bytes that are read of a picture at most.
    private static let pictureLimit = 4 << 20
    /// Bytes that are read of an archive or a document at most: a long directory, and the text of a presentation.
    private static let archiveLimit = 32 << 20

    private static func picture(
        _ source: any PropertySource,
        _ read: (BufferedBytes) throws -> PictureFacts
    ) throws -> [PropertyEntry] {
        try read(BufferedBytes(source, limit: pictureLimit)).properties.entries
    }
}
