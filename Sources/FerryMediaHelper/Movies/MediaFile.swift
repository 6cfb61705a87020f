import CAVFormat
import FerryMediaWire
import Glibc

/// A file of sound or film, opened by libavformat, which gets its bytes by asking for them.
///
/// No other file is ever opened for it: playlists and references to others are no formats here, and whatever else would
/// be opened is refused.
final class MediaFile {
    let context: UnsafeMutablePointer<AVFormatContext>

    private let reader: Reader
    private let input: UnsafeMutablePointer<AVIOContext>

    /// The formats that are known: those that hold everything they need themselves.
    private static let formats = [
        "mov,mp4,m4a,3gp,3g2,mj2", "matroska,webm", "avi", "mpeg", "mpegts", "mpegvideo", "asf", "flv", "ogg", "mp3",
        "aac", "ac3", "flac", "wav", "w64", "aiff", "ape", "wv", "tta", "mpc", "mpc8", "caf", "amr", "dsf", "au",
    ].joined(separator: ",")

    /// How far a stream is looked at before its facts are taken for known.
    private static let probeBytes: Int64 = 2 << 20
    private static let probeMicroseconds: Int64 = 3_000_000

    /// Where libavformat is in the file.
    ///
    /// It reads with one thread.
    private final class Reader {
        let bytes: ByteSource
        var position: Int64 = 0

        init(_ bytes: ByteSource) {
            self.bytes = bytes
        }
    }

    /// Opens a file: its headers are read.
    ///
    /// - Parameter bytes: The file's.
    /// - Throws: `Refusal` for one that can't be opened.
    init(_ bytes: ByteSource) throws(Refusal) {
        let reader = Reader(bytes)
        let size: Int32 = 32 << 10
        guard let buffer = av_malloc(Int(size)), var context = avformat_alloc_context() as Optional else {
            throw Refusal(.tooLarge, "there is no memory for it")
        }
        guard
            let input = avio_alloc_context(
                buffer.assumingMemoryBound(to: UInt8.self),
                size,
                0,
                Unmanaged.passUnretained(reader).toOpaque(),
                { MediaFile.read($0, $1, $2) },
                nil,
                { MediaFile.seek($0, $1, $2) }
            )
        else {
            av_free(buffer)
            avformat_free_context(context)
            throw Refusal(.tooLarge, "there is no memory for it")
        }
        self.reader = reader
        self.input = input
        context.pointee.pb = input
        context.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
        context.pointee.io_open = { _, _, _, _, _ in -EPERM }
        context.pointee.probesize = Self.probeBytes
        context.pointee.max_analyze_duration = Self.probeMicroseconds
        context.pointee.max_streams = 64
        context.pointee.max_probe_packets = 256
        context.pointee.format_whitelist = av_strdup(Self.formats)
        context.pointee.protocol_whitelist = av_strdup("")
        var opened: UnsafeMutablePointer<AVFormatContext>? = context
        // It frees the context where it fails.
        let result = avformat_open_input(&opened, nil, nil, nil)
        guard result == 0, let opened else {
            Self.free(input)
            throw Refusal(.damaged, "it can't be opened: \(Self.words(of: result))")
        }
        context = opened
        self.context = context
    }

    deinit {
        var closing: UnsafeMutablePointer<AVFormatContext>? = context
        avformat_close_input(&closing)
        Self.free(input)
    }

    /// All its streams.
    var streams: [UnsafeMutablePointer<AVStream>] {
        (0..<Int(context.pointee.nb_streams)).compactMap { context.pointee.streams[$0] }
    }

    /// The picture that is kept beside the sound, encoded.
    var artwork: UnsafeRawBufferPointer? {
        for stream in streams where stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0 {
            let packet = stream.pointee.attached_pic
            if let data = packet.data, packet.size > 0 {
                return UnsafeRawBufferPointer(start: data, count: Int(packet.size))
            }
        }
        return nil
    }

    /// Returns what libav says about a failure.
    static func words(of code: Int32) -> String {
        var space = [CChar](repeating: 0, count: 128)
        av_strerror(code, &space, space.count)
        return String(decoding: space.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static func free(_ input: UnsafeMutablePointer<AVIOContext>) {
        // The buffer may not be the one that it was made with.
        av_free(input.pointee.buffer)
        var freeing: UnsafeMutablePointer<AVIOContext>? = input
        avio_context_free(&freeing)
    }

    private static func read(
        _ user: UnsafeMutableRawPointer?,
        _ target: UnsafeMutablePointer<UInt8>?,
        _ length: Int32
    ) -> Int32 {
        guard let user, let target, length > 0 else { return -EINVAL }
        let reader = Unmanaged<Reader>.fromOpaque(user).takeUnretainedValue()
        let space = UnsafeMutableRawBufferPointer(start: target, count: Int(length))
        guard let count = try? reader.bytes.read(at: reader.position, into: space) else { return -EIO }
        reader.position += Int64(count)
        return count == 0 ? ferry_averror_eof() : Int32(count)
    }

    private static func seek(_ user: UnsafeMutableRawPointer?, _ offset: Int64, _ whence: Int32) -> Int64 {
        guard let user else { return -1 }
        let reader = Unmanaged<Reader>.fromOpaque(user).takeUnretainedValue()
        if whence & AVSEEK_SIZE != 0 { return reader.bytes.size }
        let base =
            switch whence & 3 {
            case SEEK_SET: Int64(0)
            case SEEK_CUR: reader.position
            default: reader.bytes.size
            }
        let (target, overflow) = base.addingReportingOverflow(offset)
        guard !overflow, target >= 0 else { return -1 }
        reader.position = target
        return target
    }
}
