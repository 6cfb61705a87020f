import CAVFormat
import CVips

/// How a film is turned before it is shown, as a telephone notes it.
struct FilmTurn: Hashable {
    /// Degrees clockwise: 0, 90, 180 or 270.
    let degrees: Int

    /// Reads a stream's.
    ///
    /// - Parameter stream: The film's.
    init(stream: UnsafeMutablePointer<AVStream>) {
        var size = 0
        guard let data = av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size), size >= 36 else {
            degrees = 0
            return
        }
        let angle = data.withMemoryRebound(to: Int32.self, capacity: 9) { -av_display_rotation_get($0) }
        degrees = angle.isFinite ? ((Int((angle / 90).rounded()) % 4 + 4) % 4) * 90 : 0
    }

    /// Indicates whether width and height are exchanged.
    var isSideways: Bool { degrees == 90 || degrees == 270 }

    /// Turns a picture.
    func apply(to picture: Picture) throws(Refusal) -> Picture {
        let angle: VipsAngle
        switch degrees {
        case 90: angle = VIPS_ANGLE_D90
        case 180: angle = VIPS_ANGLE_D180
        case 270: angle = VIPS_ANGLE_D270
        default: return picture
        }
        return try picture.after { ferry_vips_rotate($0, $1, angle) }
    }
}
