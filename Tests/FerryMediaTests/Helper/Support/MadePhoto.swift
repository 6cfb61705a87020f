/// A photo of one grey, of any size, as a camera writes it: with EXIF, and a small picture in it.
///
/// Written here bit by bit, since each of its blocks is the same.
enum MadePhoto {
    /// Makes one.
    ///
    /// - Parameters:
    ///   - width: Pixels, a multiple of 8.
    ///   - height: Pixels, a multiple of 8.
    ///   - isBlack: Black, or else a middle grey.
    ///   - orientation: EXIF's, if there is to be any EXIF.
    ///   - thumbnail: The small picture that EXIF holds.
    /// - Returns: The file.
    static func jpeg(
        width: Int,
        height: Int,
        isBlack: Bool = false,
        orientation: Int? = nil,
        thumbnail: [UInt8] = []
    ) -> [UInt8] {
        var file: [UInt8] = [0xFF, 0xD8]
        if let orientation { file += segment(0xE1, exif(orientation: orientation, thumbnail: thumbnail)) }
        // All steps of quantization are 16, so that the darkest is a difference of -64: in its category of 7 bits.
        file += segment(0xDB, [0] + [UInt8](repeating: 16, count: 64))
        file += segment(0xC0, [8] + word(height) + word(width) + [1, 1, 0x11, 0])
        // Codes: `0` for no difference and `10` for one of 7 bits; sixteen zeros for the end of a block.
        file += segment(0xC4, [0x00] + [1, 1] + [UInt8](repeating: 0, count: 14) + [0, 7])
        file += segment(0xC4, [0x10] + [UInt8](repeating: 0, count: 15) + [1] + [0])
        file += segment(0xDA, [1, 1, 0x00, 0, 63, 0])
        // The first block says how dark it is: `10` and -64 as `0111111`. Each other one says that it is the same.
        let bits = (width / 8) * (height / 8) * 17
        let first: [UInt8] = isBlack ? [0b1001_1111, 0b1000_0000] : [0, 0]
        file += first + [UInt8](repeating: 0, count: bits / 8)
        return file + [0xFF, 0xD9]
    }

    private static func exif(orientation: Int, thumbnail: [UInt8]) -> [UInt8] {
        var tiff: [UInt8] = Array("MM".utf8) + [0, 42, 0, 0, 0, 8]
        tiff += word(1) + entry(0x0112, type: 3, value: word(orientation) + [0, 0])
        guard !thumbnail.isEmpty else { return Array("Exif\0\0".utf8) + tiff + [0, 0, 0, 0] }
        tiff += long(26)
        tiff += word(3) + entry(0x0103, type: 3, value: word(6) + [0, 0])
        tiff += entry(0x0201, type: 4, value: long(68)) + entry(0x0202, type: 4, value: long(thumbnail.count))
        tiff += long(0)
        return Array("Exif\0\0".utf8) + tiff + thumbnail
    }

    private static func entry(_ tag: Int, type: Int, value: [UInt8]) -> [UInt8] {
        word(tag) + word(type) + long(1) + value
    }

    private static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
        [0xFF, marker] + word(body.count + 2) + body
    }

    private static func word(_ number: Int) -> [UInt8] {
        [UInt8(number >> 8 & 255), UInt8(number & 255)]
    }

    private static func long(_ number: Int) -> [UInt8] {
        word(number >> 16) + word(number & 0xFFFF)
    }
}
