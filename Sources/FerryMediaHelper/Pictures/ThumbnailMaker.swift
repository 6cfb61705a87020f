import CVips
import FerryMediaWire

/// Makes a small picture of a file, whatever it is.
struct ThumbnailMaker {
    let job: ThumbnailJob
    let source: ByteSource

    /// Does it.
    ///
    /// - Returns: The small picture.
    /// - Throws: `Refusal` when none can be made.
    func make() throws(Refusal) -> ThumbnailResult {
        let kind = try FileKind.detect(in: source, extensionHint: job.extensionHint)
        switch kind {
        case .jpeg, .png, .webp, .gif, .tiff, .svg, .heic, .avif, .pdf:
            try PictureLimits.check(size: source.size, kind: kind)
            return try PictureThumbnail(job: job, kind: kind).make(of: source)
        case .media, .zip, .compound:
            throw Refusal(.unsupported, "it has no picture")
        }
    }
}
