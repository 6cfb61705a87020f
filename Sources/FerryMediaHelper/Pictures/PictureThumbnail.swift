import CVips
import FerryMediaWire

/// Makes a small picture of one that libvips decodes.
struct PictureThumbnail {
    let job: ThumbnailJob
    let kind: FileKind

    /// Does it.
    ///
    /// - Parameter source: The file's bytes.
    /// - Returns: The small picture.
    /// - Throws: `Refusal` when none can be made.
    func make(of source: PictureSource) throws(Refusal) -> ThumbnailResult {
        let frame: PictureFrame
        do {
            // In a scope of its own: what the header needed is given back before the picture is decoded.
            let header = try open(source)
            try PictureLimits.check(header, kind: kind)
            frame = self.frame(of: header)
            if let small = embeddedThumbnail(of: header, for: frame) {
                return try PictureEncoder(job: job).encode(small)
            }
        }
        return try withExtendedLifetime(source) { () throws(Refusal) in
            try PictureEncoder(job: job).encode(try frame.crop(try scale(source, to: frame)))
        }
    }

    /// The size that a picture will have.
    private func frame(of picture: Picture) -> PictureFrame {
        let isTurned = picture.orientation >= 5
        return PictureFrame(
            pictureWidth: isTurned ? picture.height : picture.width,
            pictureHeight: isTurned ? picture.width : picture.height,
            job: job
        )
    }

    private var options: String {
        switch kind {
        case .pdf, .tiff: "[page=\(job.page - 1)]"
        default: ""
        }
    }

    private func open(_ source: PictureSource) throws(Refusal) -> Picture {
        guard let image = ferry_vips_open(source.source, options) else { throw VipsWords.refusal() }
        return Picture(image)
    }

    /// Decodes no more than is needed for the size, and turns it upright.
    private func scale(_ source: PictureSource, to frame: PictureFrame) throws(Refusal) -> Picture {
        var result: UnsafeMutablePointer<VipsImage>?
        guard
            ferry_vips_thumbnail_source(
                source.source,
                options,
                &result,
                Int32(frame.scaledWidth),
                Int32(frame.scaledHeight),
                VIPS_SIZE_FORCE
            ) == 0, let result
        else {
            throw VipsWords.refusal()
        }
        return Picture(result)
    }

    /// The picture that a camera has put into the header, if it is large enough and shows the same.
    private func embeddedThumbnail(of header: Picture, for frame: PictureFrame) -> Picture? {
        guard kind == .jpeg, let bytes = header.bytes(of: "jpeg-thumbnail-data"), bytes.starts(with: [0xFF, 0xD8]),
            let image = ferry_vips_open_buffer(bytes.baseAddress, bytes.count)
        else {
            vips_error_clear()
            return nil
        }
        let small = Picture(image)
        let isTurned = header.orientation >= 5
        let needed = isTurned ? (frame.scaledHeight, frame.scaledWidth) : (frame.scaledWidth, frame.scaledHeight)
        guard small.width >= needed.0, small.height >= needed.1 else { return nil }
        // Black bars, or an older crop: not the same picture.
        let shape = Double(small.width * header.height) / Double(small.height * header.width)
        guard abs(shape - 1) < 0.02 else { return nil }
        guard let copy = try? small.after({ ferry_vips_copy($0, $1) }) else { return nil }
        vips_image_set_int(copy.image, VIPS_META_ORIENTATION, Int32(header.orientation))
        let scaled = try? copy.after {
            ferry_vips_thumbnail_image($0, $1, Int32(frame.scaledWidth), Int32(frame.scaledHeight), VIPS_SIZE_FORCE)
        }
        // Decoded here and now: if it is damaged, the picture itself may not be.
        guard let scaled, let memory = vips_image_copy_memory(scaled.image) else {
            vips_error_clear()
            return nil
        }
        return try? frame.crop(Picture(memory))
    }
}

extension PictureFrame {
    /// Keeps the middle of a scaled picture.
    func crop(_ picture: Picture) throws(Refusal) -> Picture {
        guard isCropped else { return picture }
        return try picture.after { ferry_vips_crop($0, $1, Int32(left), Int32(top), Int32(width), Int32(height)) }
    }
}
