import FerryMediaWire
import FerryTestServers
import Foundation
import SystemPackage
import Testing

@Suite("Files that say that they are huge, given to ferry-media")
struct HugeFileTests {
    /// The outcome for a file, and for the program.
    private struct Outcome: Sendable {
        let answer: HelperProgram.Answer
        let memory: Int
        let ending: TestProgram.Ending

        /// Indicates whether it was refused in words, or by an end that says why, and not by a crash.
        var isRefusal: Bool {
            if case .refused = answer { return ending == .exited(0) }
            let ends: [TestProgram.Ending] = [
                .exited(ProgramEnding.outOfMemory.rawValue), .exited(ProgramEnding.tooSlow.rawValue),
                .signaled(ProgramEnding.tooBusySignal), .signaled(ProgramEnding.tooBusySignalOfLimit),
            ]
            return answer == .ended && ends.contains(ending)
        }

        var isThumbnail: Bool { if case .thumbnail = answer { true } else { false } }
    }

    private func outcome(_ job: MediaJob, of file: [UInt8]) async throws -> Outcome {
        let run = try await HelperProgram.with { program in
            let answer = try program.answer(to: job, file: file)
            return (answer, program.peakMemory)
        }
        #expect(run.result.1 <= HostileFileTests.memory)
        return Outcome(answer: run.result.0, memory: run.result.1, ending: run.ending)
    }

    private func thumbnail(of file: [UInt8], page: Int = 1, size: Int64? = nil) async throws -> Outcome {
        let job = ThumbnailJob(size: size ?? Int64(file.count), width: 64, height: 64, format: .png, page: page)
        return try await outcome(.thumbnail(job), of: file)
    }

    private func properties(of file: [UInt8], size: Int64? = nil) async throws -> Outcome {
        try await outcome(.properties(PropertiesJob(size: size ?? Int64(file.count))), of: file)
    }

    private static func number(_ value: UInt32, bytes: Int = 4) -> [UInt8] {
        (0..<bytes).map { UInt8(truncatingIfNeeded: value >> UInt32(8 * (bytes - 1 - $0))) }
    }

    /// A sample whose header says that it has 60,000 × 60,000 pixels.
    private static func giant(_ name: String) throws -> [UInt8] {
        var file = try Samples.bytes(name)
        let side = number(60_000)
        switch name {
        case "flag.jpg":
            // SOF0: the length, the depth, the height, the width.
            let frame = try #require(file.firstIndex(of: [0xFF, 0xC0]))
            file.replaceSubrange((frame + 5)..<(frame + 9), with: side[2...] + side[2...])
        case "flag.heic", "flag.avif":
            var start = 0
            while let box = file.firstIndex(of: Array("ispe".utf8), from: start) {
                file.replaceSubrange((box + 8)..<(box + 16), with: side + side)
                start = box + 16
            }
            #expect(start > 0)
        case "flag.tiff":
            let directory = Int(file[4]) | Int(file[5]) << 8 | Int(file[6]) << 16
            for entry in 0..<Int(file[directory]) {
                let place = directory + 2 + 12 * entry
                // ImageWidth and ImageLength, as four bytes.
                guard file[place + 1] == 1, file[place] <= 1 else { continue }
                file[place + 2] = 4
                file.replaceSubrange((place + 8)..<(place + 12), with: side.reversed())
            }
        default:
            // Lossless, with the most that 14 bits can say.
            let chunk = Array("VP8L".utf8) + [5, 0, 0, 0, 0x2F, 0xFF, 0xFF, 0xFF, 0x0F, 0]
            file = Array("RIFF".utf8) + number(UInt32(chunk.count + 4)).reversed() + Array("WEBP".utf8) + chunk
        }
        return file
    }

    @Test(
        "a picture of 60,000 × 60,000 is refused, and costs no more than its header",
        arguments: ["flag.jpg", "flag.webp", "flag.heic", "flag.avif", "flag.tiff"]
    )
    func giants(_ name: String) async throws {
        let outcome = try await thumbnail(of: Self.giant(name))
        #expect(outcome.isRefusal, "\(outcome)")
        #expect(outcome.memory < 150 << 20)
        if ["flag.jpg", "flag.tiff"].contains(name) {
            guard case .refused(.tooLarge, let words) = outcome.answer else { throw WireError("\(outcome)") }
            #expect(words.contains("60000 × 60000"))
        }
    }

    @Test("a GIF of 50,000 frames shows its first")
    func longAnimation() async throws {
        let frame: [UInt8] =
            [0x21, 0xF9, 4, 0, 0, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0] + [2, 2, 0x4C, 1, 0]
        var file: [UInt8] = Array("GIF89a".utf8) + [16, 0, 16, 0, 0xF0, 0, 0] + [0, 0, 0, 255, 255, 255]
        for _ in 0..<50_000 { file += frame }
        let outcome = try await thumbnail(of: file + [0x3B])
        #expect(outcome.isThumbnail, "\(outcome)")
        #expect(outcome.memory < 150 << 20)
    }

    @Test("a film that says that it is a mile wide, or has billions of pieces, is held", arguments: Samples.films)
    func films(_ name: String) async throws {
        let whole = try Samples.bytes(name)
        let side = Self.number(60_000)
        let (word, little) = (Array(side[2...]), Array(side.reversed()))
        // After each of these, where the width and the height are, in as many bytes, from the most significant on.
        let places: [String: [(after: [UInt8], offset: Int, value: [UInt8])]] = [
            "film.mp4": [
                (Array("avc1".utf8), 28, word + word), (Array("mp4v".utf8), 28, word + word),
                (Array("stsz".utf8), 8, [0, 0, 0, 0, 0x7F, 0xFF, 0xFF, 0xFF]),
                (Array("stts".utf8), 8, [0x7F, 0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF]),
            ],
            "film.mkv": [([0xB0, 0x81], 2, [0xFF]), ([0xB0, 0x82], 2, [0xEA, 0x60])],
            "film.webm": [([0xB0, 0x81], 2, [0xFF]), ([0xB0, 0x82], 2, [0xEA, 0x60])],
            "film.avi": [
                (Array("strf".utf8), 12, little + little),
                // Not compressed.
                (Array("strf".utf8), 24, [0, 0, 0, 0]),
            ],
            "film.mpg": [([0, 0, 1, 0xB3], 4, [0xFF, 0xFF, 0xFF])],
        ]
        var changed = whole
        for place in places[name] ?? [] {
            guard let start = whole.firstIndex(of: place.after) else { continue }
            changed.replaceSubrange(
                (start + place.offset)..<(start + place.offset + place.value.count),
                with: place.value
            )
            for outcome in [try await thumbnail(of: changed), try await properties(of: changed)] {
                let isAnswer = if case .properties = outcome.answer { true } else { outcome.isThumbnail }
                #expect(isAnswer || outcome.isRefusal, "\(name): \(outcome)")
            }
        }
        #expect(changed != whole)
    }

    // MARK: - Documents

    /// A document of a million pages, each an object of its own, with a directory of them.
    private static func millionPages() -> [UInt8] {
        let count = 1_000_000
        let digits = { (number: Int) in
            var (rest, digits) = (number, [UInt8](repeating: 0x30, count: 10))
            for index in (0..<10).reversed() {
                digits[index] += UInt8(rest % 10)
                rest /= 10
            }
            return digits
        }
        var file = Array("%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n".utf8)
        file.reserveCapacity(110 << 20)
        let second = file.count
        file += Array("2 0 obj\n<< /Type /Pages /Count \(count) /Kids [\n".utf8)
        let reference = Array(" 0 R\n".utf8)
        for page in 0..<count {
            file += digits(page + 3)[3...]
            file += reference
        }
        file += Array("] >>\nendobj\n".utf8)
        let (start, body) = (file.count, Array(" 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>\nendobj\n".utf8))
        for page in 0..<count {
            file += digits(page + 3)[3...]
            file += body
        }
        let directory = file.count
        file += Array("xref\n0 \(count + 3)\n0000000000 65535 f \n0000000009 00000 n \n".utf8)
        let end = Array(" 00000 n \n".utf8)
        file += digits(second) + end
        for page in 0..<count {
            file += digits(start + page * (7 + body.count))
            file += end
        }
        return file + Array("trailer\n<</Size \(count + 3)/Root 1 0 R>>\nstartxref\n\(directory)\n%%EOF\n".utf8)
    }

    @Test("a document of a million real pages is read, or refused for what it takes: no decoder breaks")
    func manyPages() async throws {
        let file = Self.millionPages()
        #expect(file.count > 95_000_000)
        for page in [1, 999_999] {
            let outcome = try await thumbnail(of: file, page: page)
            #expect(outcome.isThumbnail || outcome.isRefusal, "\(outcome)")
        }
        let outcome = try await properties(of: file)
        if case .properties(let entries) = outcome.answer {
            #expect(entries.contains(PropertyEntry("pages", .integer(1_000_000))))
        } else {
            #expect(outcome.isRefusal, "\(outcome)")
        }
    }

    @Test("a document of hundreds of megabytes is refused before anybody makes room for it")
    func largeDocument() async throws {
        let file = try Samples.bytes("flag.pdf")
        for outcome in [
            try await thumbnail(of: file, size: 240_000_000), try await properties(of: file, size: 240_000_000),
        ] {
            guard case .refused(.tooLarge, let words) = outcome.answer else { throw WireError("\(outcome)") }
            #expect(words.contains("128 MiB"))
            #expect(outcome.memory < 100 << 20)
        }
    }

    @Test("a packed drawing that unpacks to gigabytes, or is none, is held")
    func packedDrawing() async throws {
        // In gzip, a stored block (RFC 1951, §3.2.4), and one that says over and over that 258 bytes are as the last.
        let start: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
        let drawing = Array(#"<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><!-- "#.utf8)
        let length = UInt16(drawing.count)
        let header = [0] + [length, ~length].flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] } + drawing
        // Its codes are fixed (§3.2.6): a space, then 258 bytes from one byte before.
        var bits = [1, 1, 0] + [0, 1, 0, 1, 0, 0, 0, 0]
        for _ in 0..<10 { bits += [1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0] }
        var file = start + header
        let packed = stride(from: 0, to: bits.count - 7, by: 8).map { place in
            (0..<8).reduce(UInt8(0)) { $0 | UInt8(bits[place + $1]) << UInt8($1) }
        }
        // Behind the first eleven bits all comes again after 104 of them, which are 13 bytes.
        file += packed.prefix(2)
        for _ in 0..<400_000 { file += packed[2..<15] }
        let outcome = try await thumbnail(of: file)
        #expect(outcome.isRefusal, "\(outcome)")
        let facts = try await properties(of: file)
        #expect(facts.memory < 100 << 20)
        let text = try await thumbnail(of: start + [1, 5, 0, 0xFA, 0xFF] + Array("hello".utf8))
        guard case .refused(.unsupported, _) = text.answer else { throw WireError("\(text)") }
    }

    @Test("documents that unpack to gigabytes, or are deep, are read as far as they are good")
    func archives() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ferry-media-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let script = """
            import os, sys, zipfile
            os.chdir(sys.argv[1])
            def write(name, parts):
                with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:
                    for part, contents in parts.items():
                        with file.open(part, "w", force_zip64=True) as entry:
                            for portion in contents: entry.write(portion)
            zeros = lambda: (bytes(1 << 20) for number in range(300))
            title = b"<a><title>T</title>"
            write("bomb.docx", {"word/document.xml": [b"<a/>"], "docProps/core.xml": zeros(), "docProps/app.xml": zeros()})
            write("bomb.xlsx", {"xl/workbook.xml": [b"<a>" + b"<sheet/>" * 1000000], "docProps/core.xml": [title, b"</a>"]})
            write("deep.pptx", {"ppt/presentation.xml": [b"<a>" * 1000000], "docProps/core.xml": [title, b"<b>" * 1000000]})
            write("entity.docx", {"word/document.xml": [b"<a/>"], "docProps/core.xml":
                [b'<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a><title>&b;</title></a>']})
            """
        let run = try await TestProgram.run("python3", ["-c", script, folder.path])
        try #require(run.ending.isSuccess, "\(run.errors)")
        for name in ["bomb.docx", "bomb.xlsx", "deep.pptx", "entity.docx"] {
            let file = Array(try Data(contentsOf: folder.appending(path: name)))
            let outcome = try await properties(of: file)
            let texts: [PropertyEntry] = if case .properties(let entries) = outcome.answer { entries } else { [] }
            #expect(!texts.isEmpty || outcome.answer == .properties([]) || outcome.isRefusal, "\(name): \(outcome)")
            #expect(!"\(texts)".contains("root:"), "\(name)")
            #expect(outcome.memory < 150 << 20)
        }
    }

    // MARK: - Others

    /// A door at which nobody should knock.
    private struct Door {
        let descriptor: Int32
        let port: UInt16

        init() throws {
            let door = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isOpen = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { general in
                    bind(door, general, length) == 0 && listen(door, 8) == 0
                        && getsockname(door, general, &length) == 0
                }
            }
            guard isOpen else { throw Errno(rawValue: errno) }
            descriptor = door
            port = UInt16(bigEndian: address.sin_port)
        }

        /// How often somebody has knocked since last asked.
        func knocks() -> Int {
            var count = 0
            while case let guest = accept(descriptor, nil, nil), guest >= 0 {
                count += 1
                close(guest)
            }
            return count
        }

        /// Knocks.
        func knock() {
            let guest = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(guest) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { general in
                    _ = connect(guest, general, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }
    }

    @Test("nobody on the network is reached, whatever a file refers to")
    func network() async throws {
        let door = try Door()
        defer { close(door.descriptor) }
        door.knock()
        #expect(door.knocks() == 1)
        let address = "http://127.0.0.1:\(door.port)/x"
        let svg = """
            <?xml version="1.0"?><?xml-stylesheet href="\(address).css"?>
            <!DOCTYPE svg [<!ENTITY x SYSTEM "\(address).ent">]>
            <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
              xmlns:xi="http://www.w3.org/2001/XInclude" width="64" height="64">
            <style>@import url("\(address).css"); @font-face { font-family: f; src: url("\(address).ttf") }</style>
            <image xlink:href="\(address).png" width="64" height="64"/><image href="\(address).jpg" width="64" height="64"/>
            <use href="\(address).svg#a"/><text y="30" font-family="f">a<xi:include href="\(address).txt"/></text></svg>
            """
        let film = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n\(address).ts\n#EXT-X-ENDLIST\n"
        let pdf = String(decoding: try Samples.bytes("flag.pdf"), as: UTF8.self).replacingOccurrences(
            of: "/Type /Catalog",
            with: "/Type /Catalog /OpenAction << /S /URI /URI (\(address)) >>"
        )
        for file in [svg, svg.replacing(/<!DOCTYPE.*\n/, with: ""), film, pdf] {
            for hint in ["svg", "m3u8", "ts"] {
                _ = try await HelperProgram.with { program in
                    let bytes = Array(file.utf8)
                    _ = try program.thumbnail(of: bytes) { $0.extensionHint = hint }
                    let job = PropertiesJob(extensionHint: hint, size: Int64(bytes.count))
                    return try program.answer(to: .properties(job), file: bytes)
                }
            }
        }
        #expect(door.knocks() == 0)
    }
}

extension [UInt8] {
    /// Where other bytes are found first.
    fileprivate func firstIndex(of pattern: [UInt8], from start: Int = 0) -> Int? {
        guard count >= pattern.count else { return nil }
        return (start...(count - pattern.count)).first {
            self[$0] == pattern[0] && self[$0..<($0 + pattern.count)] == pattern[...]
        }
    }
}
