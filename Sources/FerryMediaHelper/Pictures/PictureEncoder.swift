import CVips
import FerryMediaWire

/// Encodes a small picture: eight bits, sRGB or grey, and nothing but pixels.
struct PictureEncoder {
    let job: ThumbnailJob

    /// Encodes.
    ///
    /// - Parameter picture: The picture, in its final size.
    /// - Returns: The result.
    /// - Throws: `Refusal` when a pixel can't be computed after all.
    func encode(_ picture: Picture) throws(Refusal) -> ThumbnailResult {
        var picture = Self.withoutProfile(picture)
        let type = vips_image_get_interpretation(picture.image)
        if type != VIPS_INTERPRETATION_sRGB, type != VIPS_INTERPRETATION_B_W {
            picture = try picture.after { ferry_vips_to_srgb($0, $1) }
        }
        if job.format == .jpeg, picture.hasAlpha { picture = try picture.after { ferry_vips_flatten($0, $1) } }
        if vips_image_get_format(picture.image) != VIPS_FORMAT_UCHAR {
            picture = try picture.after { ferry_vips_to_bytes($0, $1) }
        }
        var bytes: UnsafeMutableRawPointer?
        var size = 0
        let result =
            switch job.format {
            case .jpeg: ferry_vips_jpeg(picture.image, &bytes, &size, Int32(job.quality))
            case .png: ferry_vips_png(picture.image, &bytes, &size)
            case .webp: ferry_vips_webp(picture.image, &bytes, &size, Int32(job.quality))
            }
        guard result == 0, let bytes else { throw VipsWords.refusal() }
        defer { g_free(bytes) }
        let encoded = Array(UnsafeRawBufferPointer(start: bytes, count: size))
        return ThumbnailResult(
            data: job.format == .webp ? WebPContainer.bare(encoded) : encoded,
            width: picture.width,
            height: picture.height,
            format: job.format
        )
    }

    /// The picture in sRGB if it has a profile of its own; one that fits to no picture of its kind is passed over.
    private static func withoutProfile(_ picture: Picture) -> Picture {
        guard vips_image_get_typeof(picture.image, VIPS_META_ICC_NAME) != 0 else { return picture }
        guard let converted = try? picture.after({ ferry_vips_from_profile($0, $1) }) else { return picture }
        return converted
    }
}
