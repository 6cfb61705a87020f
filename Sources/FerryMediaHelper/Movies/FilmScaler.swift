import CAVFormat
import CVips
import FerryMediaWire

/// Makes a picture of a film's frame, in the size that is wanted.
enum FilmScaler {
    /// Scales.
    ///
    /// - Parameters:
    ///   - frame: The frame.
    ///   - width: Its width as it is stored.
    ///   - height: Its height as it is stored.
    ///   - size: The picture's.
    /// - Returns: The picture, in eight bits of sRGB.
    /// - Throws: `Refusal` when it can't be done.
    static func scale(
        _ frame: UnsafeMutablePointer<AVFrame>,
        width: Int,
        height: Int,
        to size: (width: Int, height: Int)
    ) throws(Refusal) -> Picture {
        let format = AVPixelFormat(rawValue: frame.pointee.format)
        guard sws_isSupportedInput(format) > 0,
            let scaler = sws_getContext(
                Int32(width),
                Int32(height),
                format,
                Int32(size.width),
                Int32(size.height),
                AV_PIX_FMT_RGB24,
                SWS_AREA | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT,
                nil,
                nil,
                nil
            )
        else {
            throw Refusal(.unsupported, "its pixels are of a kind that can't be converted")
        }
        defer { sws_freeContext(scaler) }
        setColours(of: frame, height: height, in: scaler)
        // Rows end at a multiple of 64 bytes, which the fastest code writes up to.
        let row = (size.width * 3 + 63) & ~63
        guard let pixels = av_malloc(row * size.height + 64) else {
            throw Refusal(.tooLarge, "there is no memory for it")
        }
        defer { av_free(pixels) }
        let target = [pixels.assumingMemoryBound(to: UInt8.self) as UnsafeMutablePointer<UInt8>?, nil, nil, nil]
        let rows = withUnsafeBytes(of: &frame.pointee.data) { data in
            withUnsafeBytes(of: &frame.pointee.linesize) { lines in
                sws_scale(
                    scaler,
                    data.bindMemory(to: UnsafePointer<UInt8>?.self).baseAddress,
                    lines.bindMemory(to: Int32.self).baseAddress,
                    0,
                    Int32(height),
                    target,
                    [Int32(row), 0, 0, 0]
                )
            }
        }
        guard rows > 0 else { throw Refusal(.damaged, "a frame can't be converted") }
        return try picture(pixels, row: row, size: size)
    }

    private static func picture(
        _ pixels: UnsafeMutableRawPointer,
        row: Int,
        size: (width: Int, height: Int)
    ) throws(Refusal) -> Picture {
        let packed = size.width * 3
        for line in 1..<max(2, size.height) where line < size.height {
            memmove(pixels + line * packed, pixels + line * row, packed)
        }
        guard
            let image = vips_image_new_from_memory_copy(
                pixels,
                packed * size.height,
                Int32(size.width),
                Int32(size.height),
                3,
                VIPS_FORMAT_UCHAR
            )
        else {
            throw VipsWords.refusal()
        }
        image.pointee.Type = VIPS_INTERPRETATION_sRGB
        return Picture(image)
    }

    /// Which colours its numbers mean: where the film doesn't say, small ones are as in old television.
    private static func setColours(of frame: UnsafeMutablePointer<AVFrame>, height: Int, in scaler: OpaquePointer) {
        let space: Int32 =
            switch frame.pointee.colorspace {
            case AVCOL_SPC_BT709: SWS_CS_ITU709
            case AVCOL_SPC_BT2020_NCL, AVCOL_SPC_BT2020_CL: SWS_CS_BT2020
            case AVCOL_SPC_SMPTE170M, AVCOL_SPC_BT470BG: SWS_CS_ITU601
            case AVCOL_SPC_UNSPECIFIED where height >= 720: SWS_CS_ITU709
            default: SWS_CS_DEFAULT
            }
        let isFull: Int32 = frame.pointee.color_range == AVCOL_RANGE_JPEG ? 1 : 0
        sws_setColorspaceDetails(
            scaler,
            sws_getCoefficients(space),
            isFull,
            sws_getCoefficients(SWS_CS_DEFAULT),
            1,
            0,
            1 << 16,
            1 << 16
        )
    }
}
