import FerryMediaWire

/// How large a picture may be, judged by its header, before any of its pixels is decoded.
enum PictureLimits {
    /// Pixels of a picture that is decoded row by row: as many as the time for a job allows.
    static let rowByRow = 300_000_000
    /// Pixels of a picture that is decoded as a whole: as many as memory allows.
    static let whole = 40_000_000
    /// Bytes of a file that is in memory as a whole while it is decoded.
    static let wholeFile: Int64 = 64 << 20
    /// Bytes of a document: poppler makes room for all of a file, though it reads but what it needs.
    static let document: Int64 = 128 << 20
    /// Bytes of a drawing.
    static let drawing: Int64 = 16 << 20

    /// Checks a picture's header.
    ///
    /// - Parameters:
    ///   - picture: The picture.
    ///   - kind: The kind of file.
    /// - Throws: `Refusal` for one that is too large.
    static func check(_ picture: Picture, kind: FileKind) throws(Refusal) {
        let limit: Int
        switch kind {
        case .svg, .pdf: return
        case .jpeg, .png, .tiff: limit = rowByRow
        default: limit = whole
        }
        let (pixels, overflow) = picture.width.multipliedReportingOverflow(by: picture.height)
        guard !overflow, pixels <= limit else {
            throw Refusal(
                .tooLarge,
                "a picture of \(picture.width) × \(picture.height) pixels is more than the \(limit) that are decoded"
            )
        }
    }

    /// Checks a file's size.
    ///
    /// - Parameters:
    ///   - size: In bytes.
    ///   - kind: The kind of file.
    /// - Throws: `Refusal` for one that is too large.
    static func check(size: Int64, kind: FileKind) throws(Refusal) {
        let limit: Int64
        switch kind {
        case .svg: limit = drawing
        case .pdf: limit = document
        case .webp, .heic, .avif, .gif: limit = wholeFile
        default: return
        }
        guard size <= limit else { throw Refusal(.tooLarge, "a file of this kind may have \(limit >> 20) MiB at most") }
    }
}
