import FerryMediaWire

/// How a picture goes into the size that was asked for.
struct PictureFrame: Hashable {
    /// The whole picture, scaled.
    var scaledWidth: Int
    var scaledHeight: Int
    /// The size of the part that is kept of it, from the middle.
    var width: Int
    var height: Int

    var left: Int { (scaledWidth - width) / 2 }
    var top: Int { (scaledHeight - height) / 2 }
    var isCropped: Bool { width != scaledWidth || height != scaledHeight }

    /// Decides.
    ///
    /// - Parameters:
    ///   - pictureWidth: The picture's own width, upright.
    ///   - pictureHeight: The picture's own height, upright.
    ///   - job: The size asked for, and how to fill it.
    init(pictureWidth: Int, pictureHeight: Int, job: ThumbnailJob) {
        let horizontal = Double(job.width) / Double(pictureWidth)
        let vertical = Double(job.height) / Double(pictureHeight)
        let wanted = job.mode == .fit ? min(horizontal, vertical) : max(horizontal, vertical)
        let scale = job.enlarges ? wanted : min(1, wanted)
        scaledWidth = max(1, Int((Double(pictureWidth) * scale).rounded()))
        scaledHeight = max(1, Int((Double(pictureHeight) * scale).rounded()))
        guard job.mode == .fill else {
            (width, height) = (scaledWidth, scaledHeight)
            return
        }
        // A picture too small to fill the size fills as much of it as it can, in the size's shape.
        let shrink = min(1, Double(scaledWidth) / Double(job.width), Double(scaledHeight) / Double(job.height))
        width = min(scaledWidth, max(1, Int((Double(job.width) * shrink).rounded())))
        height = min(scaledHeight, max(1, Int((Double(job.height) * shrink).rounded())))
    }
}
