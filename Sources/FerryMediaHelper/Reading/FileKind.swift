import FerryMediaProperties
import FerryMediaWire

/// The kind of a file, by its content.
///
/// The extension of its name decides only where the content can't.
enum FileKind: String, Sendable, Hashable, CaseIterable {
    case jpeg, png, webp, gif, tiff, svg, heic, avif, pdf
    /// A container of sound, and of pictures that move or not: which of them, its streams say.
    case media
    /// A ZIP archive, and what is kept in one, such as an office document.
    case zip
    /// An older office document, or another file in Microsoft's compound format.
    case compound

    /// Looks at a file.
    ///
    /// - Parameters:
    ///   - source: The file's bytes; of which the first 64 KiB are read at most, and an ID3 tag passed over.
    ///   - extensionHint: The extension of its name, without a dot.
    /// - Returns: The kind of file.
    /// - Throws: `Refusal` for a kind that isn't known, or a file that can't be read.
    static func detect(in source: ByteSource, extensionHint: String) throws(Refusal) -> FileKind {
        let head = try source.read(at: 0, count: 4096)
        guard !head.isEmpty else { throw Refusal(.damaged, "the file is empty") }
        if let kind = picture(head) ?? document(head) ?? container(head) { return kind }
        if isSVG(head) { return .svg }
        if head.starts(with: [0x1F, 0x8B]), isSVG(MediaProperties.unpacked(head, upTo: 4096) ?? []) { return .svg }
        // A stream without a header: the decoder looks for its first frame.
        if ["mp3", "aac", "ac3", "mpg", "mpeg", "ts", "m2ts", "mts", "vob"].contains(extensionHint.lowercased()) {
            return .media
        }
        throw Refusal(.unsupported, "it is no kind of file that a picture can be made of")
    }

    /// A kind of picture that its first bytes tell.
    ///
    /// - Parameter head: The first bytes of a file.
    /// - Returns: `nil` if it is none of them.
    static func picture(_ head: [UInt8]) -> FileKind? {
        if head.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
        if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
        if head.hasText("GIF87a") || head.hasText("GIF89a") { return .gif }
        if head.hasText("RIFF"), head.hasText("WEBP", at: 8) { return .webp }
        if head.starts(with: [0x49, 0x49, 0x2A, 0]) || head.starts(with: [0x4D, 0x4D, 0, 0x2A]) { return .tiff }
        if head.starts(with: [0x49, 0x49, 0x2B, 0]) || head.starts(with: [0x4D, 0x4D, 0, 0x2B]) { return .tiff }
        return nil
    }

    private static func document(_ head: [UInt8]) -> FileKind? {
        // Whatever stands before it, as readers of PDF allow, if it is little.
        if (0..<min(1024, head.count)).contains(where: { head[$0] == 0x25 && head.hasText("%PDF-", at: $0) }) {
            return .pdf
        }
        if head.starts(with: [0x50, 0x4B, 3, 4]) || head.starts(with: [0x50, 0x4B, 5, 6]) { return .zip }
        if head.starts(with: [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]) { return .compound }
        return nil
    }

    private static func container(_ head: [UInt8]) -> FileKind? {
        if head.hasText("ftyp", at: 4) { return brand(head) }
        for box in ["moov", "mdat", "wide", "free", "skip"] where head.hasText(box, at: 4) { return .media }
        if head.hasText("RIFF"), ["WAVE", "AVI "].contains(where: { head.hasText($0, at: 8) }) { return .media }
        if head.hasText("FORM"), ["AIFF", "AIFC"].contains(where: { head.hasText($0, at: 8) }) { return .media }
        for start in ["ID3", "fLaC", "OggS", "FLV", "MAC ", "wvpk", "MPCK", ".snd", "caff", "#!AMR"]
        where head.hasText(start) { return .media }
        // AC-3.
        if head.starts(with: [0x0B, 0x77]) { return .media }
        // Matroska and WebM; ASF; MPEG's program stream and sequence; MPEG audio and ADTS.
        if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) || head.starts(with: [0x30, 0x26, 0xB2, 0x75]) {
            return .media
        }
        if head.starts(with: [0, 0, 1, 0xBA]) || head.starts(with: [0, 0, 1, 0xB3]) { return .media }
        if head.count > 376, head[0] == 0x47, head[188] == 0x47, head[376] == 0x47 { return .media }
        if head.count > 3, head[0] == 0xFF, head[1] & 0xE0 == 0xE0, head[2] != 0xFF { return .media }
        return nil
    }

    /// ISO base media: which of its brands there are.
    private static func brand(_ head: [UInt8]) -> FileKind {
        let length = head.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        let end = min(head.count, max(16, min(length, 256)))
        let brands = stride(from: 8, to: end - 3, by: 4).filter { $0 != 12 }
            .map { String(decoding: head[$0..<($0 + 4)], as: UTF8.self) }
        if let first = brands.first, ["avif", "avis"].contains(first) { return .avif }
        let heif: Set = ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"]
        if let first = brands.first, heif.contains(first) { return brands.contains("avif") ? .avif : .heic }
        return .media
    }

    /// An SVG element near the start, after whatever XML allows before it.
    private static func isSVG(_ head: [UInt8]) -> Bool {
        guard let first = head.first(where: { ![0xEF, 0xBB, 0xBF, 0x20, 0x09, 0x0A, 0x0D].contains($0) }),
            first == 0x3C
        else {
            return false
        }
        return head.indices.contains { head[$0] == 0x3C && (head.hasText("<svg", at: $0) || head.isPrefixedSVG($0)) }
    }
}

extension [UInt8] {
    /// Returns whether these ASCII characters stand here.
    fileprivate func hasText(_ text: String, at index: Int = 0) -> Bool {
        let end = index + text.utf8.count
        return end <= count && self[index..<end].elementsEqual(text.utf8)
    }

    /// Returns whether an element `prefix:svg` starts here.
    fileprivate func isPrefixedSVG(_ index: Int) -> Bool {
        let name = self[index...].dropFirst().prefix(40).prefix { $0 != 0x20 && $0 != 0x3E && $0 != 0x0A }
        return name.suffix(4).elementsEqual(":svg".utf8)
    }
}
