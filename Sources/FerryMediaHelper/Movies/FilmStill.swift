import CAVFormat
import CVips
import FerryMediaWire
import Glibc

/// Takes a picture out of a film.
struct FilmStill {
    let job: ThumbnailJob
    let file: MediaFile
    let stream: UnsafeMutablePointer<AVStream>

    /// The film's stream of a file, if it has one.
    init?(job: ThumbnailJob, file: MediaFile) throws(Refusal) {
        self.job = job
        self.file = file
        let result = avformat_find_stream_info(file.context, nil)
        guard result >= 0 else { throw Refusal(.damaged, "its streams can't be found: \(MediaFile.words(of: result))") }
        let films = file.streams.filter {
            $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO
                && $0.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0
        }
        guard let stream = films.first(where: { $0.pointee.disposition & AV_DISPOSITION_DEFAULT != 0 }) ?? films.first
        else {
            return nil
        }
        self.stream = stream
        for other in file.streams where other != stream { other.pointee.discard = AVDISCARD_ALL }
    }

    /// Takes it.
    ///
    /// - Returns: The picture, in its final size.
    /// - Throws: `Refusal` when none can be decoded.
    func take() throws(Refusal) -> Picture {
        let decoder = try FilmDecoder(stream: stream, file: file)
        let target = target
        if let target, target > 0 { seek(to: target) }
        if let frame = try decoder.frame(at: target ?? 0) { return try picture(of: frame) }
        // The index led nowhere: the first picture, then.
        seek(to: start)
        decoder.restart()
        guard let frame = try decoder.frame(at: .min) else {
            throw Refusal(.damaged, "no picture of it can be decoded")
        }
        return try picture(of: frame)
    }

    private var start: Int64 {
        stream.pointee.start_time == ferry_av_nopts() ? 0 : stream.pointee.start_time
    }

    /// Where the picture is, in the stream's own time; `nil` if its length isn't known.
    private var target: Int64? {
        let position = job.position ?? 1.0 / 3
        var length = stream.pointee.duration
        if length == ferry_av_nopts() || length <= 0 {
            guard file.context.pointee.duration != ferry_av_nopts(), file.context.pointee.duration > 0 else {
                return nil
            }
            length = av_rescale_q(
                file.context.pointee.duration,
                AVRational(num: 1, den: AV_TIME_BASE),
                stream.pointee.time_base
            )
        }
        let offset = Double(length) * position
        guard offset.isFinite, offset < 1e15 else { return nil }
        let (target, overflow) = start.addingReportingOverflow(Int64(offset))
        return overflow ? nil : target
    }

    /// Goes to the last picture before a time from which decoding can start.
    private func seek(to time: Int64) {
        _ = avformat_seek_file(file.context, stream.pointee.index, .min, time, time, 0)
    }

    /// Scales a decoded frame to its final size, and turns it as the film is shown.
    private func picture(of frame: UnsafeMutablePointer<AVFrame>) throws(Refusal) -> Picture {
        let turn = FilmTurn(stream: stream)
        var (width, height) = (Int(frame.pointee.width), Int(frame.pointee.height))
        guard width > 0, height > 0 else { throw Refusal(.damaged, "its pictures have no size") }
        let (stored, storedHeight) = (width, height)
        // Pixels that aren't square.
        let shape = av_guess_sample_aspect_ratio(file.context, stream, frame)
        if shape.num > 0, shape.den > 0, shape.num != shape.den {
            let ratio = Double(shape.num) / Double(shape.den)
            guard (0.02...50).contains(ratio) else { throw Refusal(.damaged, "its pixels have no sensible shape") }
            width = max(1, Int((Double(width) * ratio).rounded()))
        }
        let upright = turn.isSideways ? (height, width) : (width, height)
        let place = PictureFrame(pictureWidth: upright.0, pictureHeight: upright.1, job: job)
        let scaled = turn.isSideways ? (place.scaledHeight, place.scaledWidth) : (place.scaledWidth, place.scaledHeight)
        let picture = try FilmScaler.scale(
            frame,
            width: stored,
            height: storedHeight,
            to: (width: scaled.0, height: scaled.1)
        )
        return try place.crop(try turn.apply(to: picture))
    }
}

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
