import CAVFormat

/// A file of sound or moving pictures, opened by libavformat.
struct StreamFile: ~Copyable {
    /// The containers that may be read: others are playlists, or know files elsewhere.
    private static let containers = [
        "aac", "ac3", "aiff", "amr", "ape", "asf", "au", "avi", "caf", "dsf", "flac", "flv", "matroska", "mov", "mp3",
        "mpc8", "mpeg", "mpegts", "ogg", "w64", "wav", "wv",
    ]
    /// Bytes of the streams themselves that are looked at.
    private static let probeSize: Int64 = 1 << 20

    private var context: UnsafeMutablePointer<AVFormatContext>?
    private let input: StreamInput

    /// Opens a file, and looks at its streams.
    ///
    /// - Parameter source: Its bytes.
    /// - Throws: ``DamagedFile`` for one that has no streams; what reading throws.
    init(_ source: any PropertySource) throws {
        // Messages about damage go nowhere.
        av_log_set_level(AV_LOG_QUIET)
        input = StreamInput(source)
        var context = avformat_alloc_context()
        guard context != nil else { throw DamagedFile("there is no memory for reading it") }
        context?.pointee.pb = try input.open()
        context?.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
        context?.pointee.probesize = Self.probeSize
        context?.pointee.max_analyze_duration = Int64(AV_TIME_BASE)
        // Some containers name other files, which are none of ours.
        context?.pointee.io_open = { _, _, _, _, _ in ferry_averror_exit() }
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        av_dict_set(&options, "format_whitelist", Self.containers.joined(separator: ","), 0)
        av_dict_set(&options, "protocol_whitelist", "", 0)
        // Where it fails, it frees the context too.
        let opened = avformat_open_input(&context, "", nil, &options)
        if opened >= 0 { _ = avformat_find_stream_info(context, nil) }
        self.context = context
        if let error = input.error { throw error }
        guard opened >= 0, let file = self.context, file.pointee.nb_streams > 0 else {
            throw DamagedFile("it is no sound and no video that is known")
        }
    }

    deinit {
        var context = context
        avformat_close_input(&context)
    }

    /// Seconds; `nil` if nobody knows.
    var duration: Double? {
        guard let duration = context?.pointee.duration, duration != ferry_av_nopts(), duration > 0 else { return nil }
        return Double(duration) / Double(AV_TIME_BASE)
    }

    /// Bits per second of all streams; `nil` if nobody knows.
    var bitRate: Int64? { context.flatMap { $0.pointee.bit_rate > 0 ? $0.pointee.bit_rate : nil } }

    /// The streams.
    var streams: [Stream] {
        guard let context, let streams = context.pointee.streams else { return [] }
        return (0..<min(Int(context.pointee.nb_streams), 100)).compactMap { index in
            streams[index].flatMap { Stream($0) }
        }
    }

    /// The tags of the whole file, by names in small letters.
    var tags: [String: String] { context.map { Self.tags($0.pointee.metadata) } ?? [:] }

    /// One stream of it.
    struct Stream {
        let isVideo: Bool
        let isAudio: Bool
        let codec: String
        let bitRate: Int64?
        let width: Int64
        let height: Int64
        let frameRate: (Int64, Int64)?
        let sampleRate: Int64
        let channels: Int64
        let tags: [String: String]

        fileprivate init?(_ stream: UnsafeMutablePointer<AVStream>) {
            guard let parameters = stream.pointee.codecpar else { return nil }
            // A record's cover is a stream too.
            let isPicture = stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0
            isVideo = parameters.pointee.codec_type == AVMEDIA_TYPE_VIDEO && !isPicture
            isAudio = parameters.pointee.codec_type == AVMEDIA_TYPE_AUDIO
            codec = String(cString: avcodec_get_name(parameters.pointee.codec_id))
            tags = StreamFile.tags(stream.pointee.metadata)
            // Matroska has no field for it, and programs that write one put it into a tag.
            let noted = (tags["bps"] ?? tags["bps-eng"]).flatMap { Int64($0) }
            bitRate = [parameters.pointee.bit_rate, noted ?? 0].first { $0 > 0 }
            width = Int64(parameters.pointee.width)
            height = Int64(parameters.pointee.height)
            let rate = stream.pointee.avg_frame_rate
            frameRate = rate.num > 0 && rate.den > 0 ? (Int64(rate.num), Int64(rate.den)) : nil
            sampleRate = Int64(parameters.pointee.sample_rate)
            channels = Int64(parameters.pointee.ch_layout.nb_channels)
        }
    }

    private static func tags(_ dictionary: OpaquePointer?) -> [String: String] {
        var tags: [String: String] = [:]
        var entry: UnsafeMutablePointer<AVDictionaryEntry>?
        while let next = av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX), tags.count < 1000 {
            entry = next
            guard let key = next.pointee.key, let value = next.pointee.value else { continue }
            let name = String(cString: key).lowercased()
            let length = Texts.length(value, upTo: Texts.limit)
            let text = UnsafeRawBufferPointer(start: value, count: length).text
            if let text, tags[name] == nil { tags[name] = text }
        }
        return tags
    }
}
