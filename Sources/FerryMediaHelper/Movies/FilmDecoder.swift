import CAVFormat
import FerryMediaWire
import Glibc

/// Decodes the frames of a film up to the one that is wanted.
final class FilmDecoder {
    private let stream: UnsafeMutablePointer<AVStream>
    private let file: MediaFile
    private var context: UnsafeMutablePointer<AVCodecContext>?
    private var packet = av_packet_alloc()
    private var frame = av_frame_alloc()
    private var best = av_frame_alloc()

    /// Decoding goes on until the wanted frame for so long, in seconds of the processor's time.
    ///
    /// Then the last one before it will do.
    private static let patience = 2.0
    /// Pixels of a frame: those of 8K, and a bit.
    private static let pixels: Int64 = 40_000_000
    /// Packets to look at in a stream that has no frame.
    private static let packets = 20_000

    /// Opens a decoder.
    ///
    /// - Parameters:
    ///   - stream: The film's.
    ///   - file: The file that it is in.
    /// - Throws: `Refusal` where there is none for it.
    init(stream: UnsafeMutablePointer<AVStream>, file: MediaFile) throws(Refusal) {
        self.stream = stream
        self.file = file
        guard let codec = avcodec_find_decoder(stream.pointee.codecpar.pointee.codec_id) else {
            throw Refusal(.unsupported, "there is no decoder for this kind of film")
        }
        guard let context = avcodec_alloc_context3(codec) else { throw Refusal(.tooLarge, "there is no memory for it") }
        self.context = context
        guard avcodec_parameters_to_context(context, stream.pointee.codecpar) >= 0 else {
            throw Refusal(.damaged, "the film's facts make no sense")
        }
        context.pointee.thread_count = 1
        context.pointee.max_pixels = Self.pixels
        context.pointee.pkt_timebase = stream.pointee.time_base
        let result = avcodec_open2(context, codec, nil)
        guard result == 0 else { throw Refusal(.damaged, "the film can't be decoded: \(MediaFile.words(of: result))") }
    }

    deinit {
        avcodec_free_context(&context)
        av_packet_free(&packet)
        av_frame_free(&frame)
        av_frame_free(&best)
    }

    /// Forgets what it has decoded, before the stream goes on elsewhere.
    func restart() {
        avcodec_flush_buffers(context)
        av_frame_unref(best)
    }

    /// Decodes.
    ///
    /// - Parameter time: The wanted frame's, in the stream's own time.
    /// - Returns: The frame that is shown then, or the last one that could be had before; `nil` if there is none. It is
    ///   valid until the next call.
    /// - Throws: `Refusal` when there is no memory.
    func frame(at time: Int64) throws(Refusal) -> UnsafeMutablePointer<AVFrame>? {
        guard let packet, let best else { throw Refusal(.tooLarge, "there is no memory for it") }
        let start = clock()
        for _ in 0..<Self.packets {
            guard av_read_frame(file.context, packet) == 0 else {
                // The end: what the decoder still holds comes out.
                avcodec_send_packet(context, nil)
                _ = receive(until: time)
                break
            }
            defer { av_packet_unref(packet) }
            guard packet.pointee.stream_index == stream.pointee.index else { continue }
            // A packet that is damaged is left out, as a player would.
            _ = avcodec_send_packet(context, packet)
            if receive(until: time) { break }
            let isLate = Double(clock() - start) / Double(CLOCKS_PER_SEC) > Self.patience
            if isLate, best.pointee.width > 0 { break }
        }
        return best.pointee.width > 0 ? best : nil
    }

    /// Takes what the decoder has, and keeps the last frame that isn't after the wanted one.
    ///
    /// - Returns: `true` if it has the wanted frame.
    private func receive(until time: Int64) -> Bool {
        guard let frame, let best else { return true }
        while avcodec_receive_frame(context, frame) == 0 {
            let shown = frame.pointee.best_effort_timestamp
            let isKnown = shown != ferry_av_nopts()
            // The one before is still shown.
            if isKnown, shown > time, best.pointee.width > 0 { return true }
            av_frame_unref(best)
            av_frame_move_ref(best, frame)
            if !isKnown || shown >= time { return true }
        }
        return false
    }
}
