import FerryMediaProperties
import FerryMediaWire

/// The bytes that the library gives, for the readers of properties.
struct FileSource: PropertySource {
    let source: ByteSource

    var size: Int64 { source.size }

    func read(at offset: Int64, count: Int) throws -> [UInt8] {
        try source.read(at: offset, count: count)
    }
}

/// Reads the properties of pictures, of sound and moving pictures, of archives and office documents.
enum FilePropertyReader: PropertyReader {
    static func reads(_ kind: FileKind) -> Bool { known(kind) != nil }

    static func read(_ source: ByteSource, kind: FileKind) throws(Refusal) -> [PropertyEntry] {
        guard let known = known(kind) else { throw Refusal(.unsupported, "nothing is known about this kind of file") }
        if kind == .pdf { try PictureLimits.check(size: source.size, kind: kind) }
        do {
            return try MediaProperties.read(known, from: FileSource(source: source))
        } catch let refusal as Refusal {
            throw refusal
        } catch {
            throw Refusal(.damaged, "\(error)")
        }
    }

    private static func known(_ kind: FileKind) -> MediaProperties.Kind? {
        switch kind {
        case .jpeg: .jpeg
        case .png: .png
        case .webp: .webP
        case .gif: .gif
        case .tiff: .tiff
        case .heic, .avif: .heif
        case .media: .stream
        case .zip: .zip
        case .pdf: .pdf
        case .svg: .svg
        case .compound: nil
        }
    }
}
