import FerryMediaWire

/// Reads what sound and moving pictures say about themselves.
enum StreamReader {
    static func read(_ source: any PropertySource) throws -> PropertyList {
        let file = try StreamFile(source)
        let streams = file.streams
        let video = streams.first { $0.isVideo }
        let audio = streams.first { $0.isAudio }
        guard video != nil || audio != nil else { throw DamagedFile("it is no sound and no video that is known") }
        // Ogg's tags are its first stream's.
        let tags = file.tags.merging((video ?? audio)?.tags ?? [:]) { first, _ in first }
            .merging(audio?.tags ?? [:]) { first, _ in first }
        var list = PropertyList()
        addWork(tags, &list)
        if let video { addPictures(video, tags, &list) }
        list.add("duration", file.duration.map { .duration($0) })
        list.add("bitRate", integer: file.bitRate ?? (video == nil ? audio?.bitRate : nil))
        if let video {
            list.add("videoBitRate", integer: video.bitRate)
            list.add("audioBitRate", integer: audio?.bitRate)
            list.add("videoCodec", text: video.codec)
        }
        if let audio {
            list.add("audioCodec", text: audio.codec)
            list.add("sampleRate", integer: audio.sampleRate > 0 ? audio.sampleRate : nil)
            list.add("channels", integer: audio.channels > 0 ? audio.channels : nil)
        }
        return list
    }

    /// Adds the tags of the work: title, authors, album, copyright.
    private static func addWork(_ tags: [String: String], _ list: inout PropertyList) {
        list.add("title", text: tags["title"])
        list.add("artist", text: tags["artist"] ?? tags["author"])
        list.add("album", text: tags["album"])
        list.add("albumArtist", text: tags["album_artist"] ?? tags["albumartist"])
        let track = numbers(tags["track"] ?? tags["tracknumber"])
        list.add("track", integer: track.first)
        let total = (tags["tracktotal"] ?? tags["totaltracks"]).flatMap { Int64($0) }
        list.add("trackCount", integer: track.count > 1 ? track[1] : total)
        list.add("disc", integer: numbers(tags["disc"] ?? tags["discnumber"]).first)
        list.add("year", integer: year(tags))
        list.add("genre", text: tags["genre"])
        list.add("composer", text: tags["composer"])
        list.add("copyright", text: tags["copyright"])
        list.add("comment", text: tags["comment"] ?? tags["description"])
    }

    /// `3/12`, as ID3 has it.
    private static func numbers(_ text: String?) -> [Int64] {
        guard let text else { return [] }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).prefix(2)
        return Array(parts.map { Texts.trimmed($0).flatMap { Int64($0) } }.prefix { $0 != nil }.compactMap { $0 })
            .filter { $0 > 0 }
    }

    private static func year(_ tags: [String: String]) -> Int64? {
        let names = ["date", "year", "date_released", "date_recorded", "originaldate", "tdor", "tory"]
        for name in names {
            guard let digits = tags[name]?.prefix(4), digits.count == 4, let year = Int64(digits), year > 0 else {
                continue
            }
            return year
        }
        return nil
    }

    /// Adds the size and rate of a video's pictures, and where and with what they were taken.
    private static func addPictures(_ video: StreamFile.Stream, _ tags: [String: String], _ list: inout PropertyList) {
        if video.width > 0, video.height > 0 {
            list.add("dimensions", .size(Double(video.width), Double(video.height)))
        }
        list.add("frameRate", video.frameRate.map { .fraction($0.0, $0.1) })
        let apple = "com.apple.quicktime."
        list.add("deviceMaker", text: tags[apple + "make"] ?? tags["make"])
        list.add("deviceModel", text: tags[apple + "model"] ?? tags["model"])
        let taken = tags[apple + "creationdate"] ?? tags["creation_time"]
        list.add("dateTaken", date: taken.flatMap { CivilDate(iso: $0) })
        let location = tags[apple + "location.iso6709"] ?? tags["location"]
        list.add("location", location.flatMap { self.location($0) })
    }

    /// ISO 6709, Annex H, in degrees: `+48.8582-002.2945+035.000/`.
    private static func location(_ text: String) -> PropertyEntryValue? {
        var numbers: [Double] = []
        var rest = text.prefix { $0 != "/" }
        while let sign = rest.first, sign == "+" || sign == "-", numbers.count < 3 {
            let digits = rest.dropFirst().prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            guard let number = Double(digits) else { return nil }
            numbers.append(sign == "-" ? -number : number)
            rest = rest.dropFirst(digits.count + 1)
        }
        guard numbers.count >= 2, abs(numbers[0]) <= 90, abs(numbers[1]) <= 180 else { return nil }
        return .location(latitude: numbers[0], longitude: numbers[1], altitude: numbers.count > 2 ? numbers[2] : nil)
    }
}
