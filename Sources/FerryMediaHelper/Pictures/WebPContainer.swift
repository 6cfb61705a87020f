/// The chunks of a WebP, RFC 9649 §2.7.
enum WebPContainer {
    /// Takes away what isn't the picture: libvips 8.14 writes EXIF even when told not to.
    ///
    /// - Parameter file: A WebP that we have encoded.
    /// - Returns: It without EXIF, XMP and a colour profile.
    static func bare(_ file: [UInt8]) -> [UInt8] {
        var bare = Array(file.prefix(12))
        var index = 12
        while index + 8 <= file.count {
            let name = String(decoding: file[index..<(index + 4)], as: UTF8.self)
            let size = file[(index + 4)..<(index + 8)].reversed().reduce(0) { $0 << 8 | Int($1) }
            let end = min(file.count, index + 8 + size + size % 2)
            if !["EXIF", "XMP ", "ICCP"].contains(name) {
                let start = bare.count
                bare += file[index..<end]
                // Which of them there are: of the flags, those of an animation and of transparency stay.
                if name == "VP8X", bare.count > start + 8 { bare[start + 8] &= 0b0001_0010 }
            }
            index = end
        }
        let size = UInt32(bare.count - 8).littleEndian
        withUnsafeBytes(of: size) { bare.replaceSubrange(4..<8, with: $0) }
        return bare
    }
}
