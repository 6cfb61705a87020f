import CVips

/// A picture in libvips, whose pixels may not have been computed yet.
final class Picture {
    let image: UnsafeMutablePointer<VipsImage>

    /// Takes over an image.
    ///
    /// - Parameter image: One that is ours to release.
    init(_ image: UnsafeMutablePointer<VipsImage>) {
        self.image = image
    }

    deinit {
        ferry_g_object_unref(image)
    }

    var width: Int { Int(vips_image_get_width(image)) }
    var height: Int { Int(vips_image_get_height(image)) }
    var hasAlpha: Bool { vips_image_hasalpha(image) != 0 }

    /// How EXIF says that the camera was held, from 1 (upright) to 8.
    var orientation: Int { Int(vips_image_get_orientation(image)) }

    /// Makes another picture of this one.
    ///
    /// - Parameter step: One of libvips's operations.
    /// - Returns: Its result.
    /// - Throws: `Refusal` when it fails.
    func after(
        _ step: (UnsafeMutablePointer<VipsImage>, UnsafeMutablePointer<UnsafeMutablePointer<VipsImage>?>) -> Int32
    ) throws(Refusal) -> Picture {
        var result: UnsafeMutablePointer<VipsImage>?
        guard step(image, &result) == 0, let result else { throw VipsWords.refusal() }
        return Picture(result)
    }

    /// A piece of metadata that is bytes.
    func bytes(of name: String) -> UnsafeRawBufferPointer? {
        var data: UnsafeRawPointer?
        var size = 0
        guard vips_image_get_typeof(image, name) != 0, vips_image_get_blob(image, name, &data, &size) == 0, let data
        else {
            vips_error_clear()
            return nil
        }
        return UnsafeRawBufferPointer(start: data, count: size)
    }
}
