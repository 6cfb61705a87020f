import FerryMediaProperties
import FerryMediaWire
import Foundation
import Testing

@Suite("What sound and videos say about themselves")
struct StreamPeerTests {
    private static let tags = [
        "title=Größe", "artist=Ann", "album=Sea & Sand", "album_artist=Various", "track=3/12", "disc=2",
        "date=2019-05-01", "genre=Jazz", "composer=Bo", "comment=Notes",
    ]

    private func make(_ name: String, _ arguments: [String], in folder: MediaFolder) async throws {
        try await folder.run("ffmpeg", ["-v", "error", "-nostdin", "-y"] + arguments + ["-bitexact", name])
    }

    /// Returns what ffprobe finds in a file: of all of it, and of its streams.
    private func probe(_ name: String, _ folder: MediaFolder) async throws -> (
        format: [String: Any], video: [String: Any], audio: [String: Any]
    ) {
        let arguments = ["-v", "quiet", "-print_format", "json", "-show_format", "-show_streams", name]
        let json = try await folder.run("ffprobe", arguments)
        let all = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
        let streams = all["streams"] as? [[String: Any]] ?? []
        func first(_ kind: String) -> [String: Any] { streams.first { $0["codec_type"] as? String == kind } ?? [:] }
        return (all["format"] as? [String: Any] ?? [:], first("video"), first("audio"))
    }

    @Test(
        "are those that ffprobe finds in sound",
        arguments: ["a.mp3", "a.flac", "a.ogg", "a.opus", "a.m4a", "a.wav", "a.aiff", "a.mka", "a.wma"]
    )
    func sound(name: String) async throws {
        try await MediaFolder.with { folder in
            var arguments = ["-f", "lavfi", "-i", "sine=frequency=440:duration=3.5:sample_rate=48000", "-ac", "2"]
            arguments += Self.tags.flatMap { ["-metadata", $0] }
            if name == "a.aiff" { arguments += ["-write_id3v2", "1"] }
            try await make(name, arguments, in: folder)
            let peer = try await probe(name, folder)
            let found = try folder.properties(name)

            let tags = try #require(peer.format["tags"] as? [String: String] ?? peer.audio["tags"] as? [String: String])
            let lower = Dictionary(tags.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
            let names = [
                "title": "title", "artist": "artist", "album": "album", "albumArtist": "album_artist",
                "genre": "genre", "composer": "composer", "comment": "comment",
            ]
            for (key, tag) in names { #expect(found.text(key) == lower[tag], "\(key)") }
            #expect(found.text("title") == "Größe")
            #expect(found.number("year") == lower["date"].flatMap { Double($0.prefix(4)) })
            #expect(found.number("track") == lower["track"].flatMap { Double($0.prefix { $0 != "/" }) })
            #expect(found.number("disc") == lower["disc"].flatMap { Double($0) })
            if lower["track"] == "3/12" { #expect(found.number("trackCount") == 12) }

            let duration = try #require(found.number("duration"))
            #expect(abs(duration - peer.format.double("duration")) < 0.001)
            #expect(found.number("bitRate") == peer.format.double("bit_rate"))
            #expect(found.text("audioCodec") == peer.audio["codec_name"] as? String)
            #expect(found.number("sampleRate") == peer.audio.double("sample_rate"))
            #expect(found.number("channels") == 2)
            #expect(found["dimensions"] == nil)
        }
    }

    @Test(
        "are those that ffprobe finds in videos",
        arguments: ["a.mp4", "front.mp4", "a.mov", "a.mkv", "a.webm", "a.avi", "silent.mp4", "a.mpg", "a.ts"]
    )
    func videos(name: String) async throws {
        try await MediaFolder.with { folder in
            var arguments = ["-f", "lavfi", "-i", "testsrc2=duration=2:size=160x120:rate=30000/1001"]
            if name != "silent.mp4" { arguments += ["-f", "lavfi", "-i", "sine=frequency=440:duration=2"] }
            arguments += ["-metadata", "title=Größe", "-metadata", "creation_time=2024-05-01T10:30:00Z"]
            if name == "front.mp4" { arguments += ["-movflags", "+faststart"] }
            if name == "a.webm" { arguments += ["-deadline", "realtime", "-cpu-used", "8"] }
            try await make(name, arguments, in: folder)
            let peer = try await probe(name, folder)
            let found = try folder.properties(name)

            #expect(found["dimensions"] == .size(peer.video.double("width"), peer.video.double("height")))
            #expect(found["dimensions"] == .size(160, 120))
            #expect(abs(try #require(found.number("duration")) - peer.format.double("duration")) < 0.001)
            #expect(found.number("bitRate") == peer.format.double("bit_rate"))
            #expect(found.text("videoCodec") == peer.video["codec_name"] as? String)
            #expect(found.text("audioCodec") == peer.audio["codec_name"] as? String)
            #expect(found.number("videoBitRate") == (peer.video["bit_rate"] as? String).flatMap { Double($0) })
            #expect(found.number("audioBitRate") == (peer.audio["bit_rate"] as? String).flatMap { Double($0) })
            let rate = (peer.video["avg_frame_rate"] as? String ?? "").split(separator: "/").compactMap { Int64($0) }
            #expect(found["frameRate"] == .fraction(rate[0], rate[1]))
            guard !["a.mpg", "a.ts"].contains(name) else { return }
            #expect(found.text("title") == "Größe")
            guard name != "a.avi" else { return }
            #expect(found["dateTaken"] == .date(seconds: 1_714_559_400, offset: 0))
        }
    }

    @Test("are those of the oldest MP3 files too, at their end")
    func id3v1() async throws {
        try await MediaFolder.with { folder in
            let arguments = ["-f", "lavfi", "-i", "sine=frequency=440:duration=1", "-id3v2_version", "0"]
            try await make("a.mp3", arguments, in: folder)
            func field(_ text: String, _ length: Int) -> Data {
                let bytes = Data(text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
                return bytes + Data(count: length - bytes.count)
            }
            // Title, artist, album, year, notes with the number on the album in the last byte, genre.
            var tag = Data("TAG".utf8) + field("Größe", 30) + field("Ann", 30) + field("Sea", 30)
            tag += field("1999", 4) + field("Notes", 28) + Data([0, 7, 8])
            try folder.write(folder.data("a.mp3") + tag, to: "a.mp3")
            let peer = try await folder.exiftool("a.mp3")
            let found = try folder.properties("a.mp3")
            #expect(found.text("title") == "Größe")
            #expect(found.text("artist") == peer["Artist"] as? String)
            #expect(found.text("album") == peer["Album"] as? String)
            #expect(found.text("comment") == peer["Comment"] as? String)
            #expect(found.number("year") == peer.double("Year"))
            #expect(found.number("track") == peer.double("Track"))
            #expect(found.text("genre") == "Jazz")
            #expect(peer.double("Genre") == 8)
        }
    }

    @Test("say where, when and with what a telephone took them")
    func telephone() async throws {
        try await MediaFolder.with { folder in
            var arguments = ["-f", "lavfi", "-i", "testsrc2=duration=1:size=160x120"]
            let apple = "com.apple.quicktime."
            let tags = [
                "\(apple)location.ISO6709=+48.8582-002.2945+035.5/", "\(apple)make=Maker", "\(apple)model=Model 1",
                "\(apple)creationdate=2024-05-01T12:30:00+0200",
            ]
            arguments += tags.flatMap { ["-metadata", $0] } + ["-movflags", "use_metadata_tags"]
            try await make("a.mov", arguments, in: folder)
            let found = try folder.properties("a.mov")
            #expect(found["location"] == .location(latitude: 48.8582, longitude: -2.2945, altitude: 35.5))
            #expect(found.text("deviceMaker") == "Maker")
            #expect(found.text("deviceModel") == "Model 1")
            #expect(found["dateTaken"] == .date(seconds: 1_714_559_400, offset: 7200))
        }
    }

    @Test("cost little of a long video whose index is at its end")
    func cost() async throws {
        try await MediaFolder.with { folder in
            let picture = "testsrc2=duration=20:size=640x480:rate=10,noise=alls=100:allf=t"
            try await make("a.mp4", ["-f", "lavfi", "-i", picture, "-c:v", "mpeg4", "-q:v", "2"], in: folder)
            let data = try folder.data("a.mp4")
            try #require(data.count > 16 << 20)
            let source = DataSource(data)
            let found = Found(try MediaProperties.read(.stream, from: source))
            #expect(found.number("duration") == 20)
            #expect(source.bytesRead < 2 << 20)
        }
    }

    @Test("are none of a record's cover")
    func cover() async throws {
        try await MediaFolder.with { folder in
            try await folder.picture("cover.png")
            let arguments = [
                "-f", "lavfi", "-i", "sine=frequency=440:duration=1", "-i", "cover.png", "-map", "0", "-map", "1",
                "-c:v", "png", "-disposition:v",
                "attached_pic",
            ]
            for name in ["a.mp3", "a.flac", "a.m4a"] {
                try await make(name, arguments, in: folder)
                let keys = try folder.properties(name).keys
                #expect(keys.contains("duration"))
                #expect(!keys.contains("dimensions"))
                #expect(!keys.contains("videoCodec"))
            }
        }
    }

    @Test("are none of playlists, and of lists of other files")
    func playlists() throws {
        let files = [
            "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n/etc/passwd\n#EXT-X-ENDLIST\n",
            "ffconcat version 1.0\nfile '/etc/passwd'\n", "<?xml version=\"1.0\"?><MPD></MPD>",
            "v=0\r\no=- 0 0 IN IP4 1.1\r\n",
            "", "x",
        ]
        for file in files {
            let source = DataSource(Data(file.utf8))
            #expect(throws: DamagedFile.self) { try MediaProperties.read(.stream, from: source) }
        }
    }
}
