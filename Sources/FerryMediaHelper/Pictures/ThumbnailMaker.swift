import CAVFormat
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
            return try PictureThumbnail(job: job, kind: kind).make(of: PictureSource(source))
        case .media: return try film()
        case .zip, .compound: throw Refusal(.unsupported, "it has no picture")
        }
    }

    /// A frame of a film; or the picture that is kept beside a sound.
    private func film() throws(Refusal) -> ThumbnailResult {
        let file = try MediaFile(source)
        // Only sound has its picture in what was read by now, and needs no more to be read.
        let hasFilm = file.streams.contains {
            $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO
                && $0.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0
        }
        if !hasFilm, let artwork = file.artwork { return try small(artwork) }
        if let still = try FilmStill(job: job, file: file) {
            return try PictureEncoder(job: job).encode(try still.take())
        }
        guard let artwork = file.artwork else { throw Refusal(.nothingThere, "there is no picture in it") }
        return try small(artwork)
    }

    private func small(_ artwork: UnsafeRawBufferPointer) throws(Refusal) -> ThumbnailResult {
        guard let kind = FileKind.picture([UInt8](artwork.prefix(64))) else {
            throw Refusal(.unsupported, "the picture in it is of a kind that isn't known")
        }
        return try PictureThumbnail(job: job, kind: kind).make(of: PictureSource(artwork))
    }
}
