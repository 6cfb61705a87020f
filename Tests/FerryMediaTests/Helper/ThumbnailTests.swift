import FerryMediaWire
import FerryTestServers
import Foundation
import Testing

@Suite("Thumbnails by ferry-media")
struct ThumbnailTests {
    /// Returns what a thumbnail shows on its left, or above, and on its right, or below.
    private func ends(of answer: HelperProgram.Answer) async throws -> (size: [Int], first: String, last: String) {
        guard case .thumbnail(let result) = answer else { throw WireError("\(answer)") }
        let last = (x: result.width - 2, y: result.height - 2)
        let colours = try await Pixels.colours(in: result.data, at: [(x: 1, y: 1), last])
        return ([result.width, result.height], Pixels.name(colours[0]), Pixels.name(colours[1]))
    }

    @Test("each kind of picture is found out by its content, and made smaller", arguments: Samples.pictures)
    func pictures(_ name: String) async throws {
        let file = try Samples.bytes(name)
        let run = try await HelperProgram.with { try $0.thumbnail(of: file) { $0.extensionHint = "wrong" } }
        let seen = try await ends(of: run.result)
        #expect(seen.size == [32, 21])
        #expect([seen.first, seen.last] == ["red", "blue"])
        #expect(run.ending == .exited(0))
    }

    @Test(
        "a photo and a film that were taken upright are shown upright",
        arguments: ["turned.jpg", "turned.heic", "turned.mp4"]
    )
    func turned(_ name: String) async throws {
        let file = try Samples.bytes(name)
        let run = try await HelperProgram.with { try $0.thumbnail(of: file) }
        let seen = try await ends(of: run.result)
        #expect(seen.size == [21, 32])
        if !name.hasSuffix("mp4") { #expect([seen.first, seen.last] == ["red", "blue"]) }
    }

    @Test("a film shows the frame at a third of it", arguments: Samples.films)
    func films(_ name: String) async throws {
        let file = try Samples.bytes(name)
        let run = try await HelperProgram.with { program in
            [
                try program.thumbnail(of: file) { $0.position = 0.05 }, try program.thumbnail(of: file) { _ in },
                try program.thumbnail(of: file) { $0.position = 0.9 },
            ]
        }
        var seen: [String] = []
        for answer in run.result { seen.append(try await ends(of: answer).first) }
        #expect(seen == ["red", "green", "blue"])
    }

    @Test("a sound shows the picture that is kept in it", arguments: Samples.sounds)
    func sounds(_ name: String) async throws {
        let file = try Samples.bytes(name)
        let run = try await HelperProgram.with { try $0.thumbnail(of: file) }
        let seen = try await ends(of: run.result)
        #expect(seen.size == [32, 21])
        #expect([seen.first, seen.last] == ["red", "blue"])
    }

    @Test("a sound without a picture, a page that isn't there, and a text are refused, each for its reason")
    func refusals() async throws {
        let (sound, document) = (try Samples.bytes("sound.ogg"), try Samples.bytes("flag.pdf"))
        let run = try await HelperProgram.with { program in
            [
                try program.thumbnail(of: sound), try program.thumbnail(of: document) { $0.page = 3 },
                try program.thumbnail(of: Array("Dear Sir or Madam".utf8)), try program.thumbnail(of: []),
                try program.thumbnail(of: document) { $0.page = 2 },
            ]
        }
        let reasons = run.result.map { if case .refused(let reason, _) = $0 { reason } else { nil as RefusalReason? } }
        #expect(reasons == [.nothingThere, .nothingThere, .unsupported, .damaged, nil])
        let page = try await ends(of: run.result[4])
        #expect(page.size == [32, 32])
        #expect(page.first == "green")
    }

    @Test(
        "a picture fits into a size or fills it, and is enlarged only when asked",
        arguments: [
            (ThumbnailJob.Mode.fit, false, 48, 48, [48, 32]), (.fit, false, 960, 960, [96, 64]),
            (.fit, true, 960, 960, [960, 640]), (.fill, false, 32, 32, [32, 32]), (.fill, false, 20, 60, [20, 60]),
            (.fill, false, 960, 960, [64, 64]), (.fill, false, 960, 480, [96, 48]),
            (.fill, true, 200, 100, [200, 100]),
            (.fit, false, 1, 1, [1, 1]),
        ]
    )
    func sizes(mode: ThumbnailJob.Mode, enlarges: Bool, width: Int, height: Int, expected: [Int]) async throws {
        for name in ["flag.jpg", "flag.png", "flag.svg", "film.mp4"] {
            let file = try Samples.bytes(name)
            let run = try await HelperProgram.with { program in
                try program.thumbnail(of: file) {
                    ($0.mode, $0.enlarges, $0.width, $0.height) = (mode, enlarges, width, height)
                }
            }
            guard case .thumbnail(let result) = run.result else {
                Issue.record("\(name): \(run.result)")
                continue
            }
            #expect([result.width, result.height] == expected, "\(name)")
        }
    }

    @Test("what fills a size is cut the same on both sides")
    func middle() async throws {
        let file = try Samples.bytes("flag.png")
        let run = try await HelperProgram.with { program in
            try program.thumbnail(of: file) { ($0.mode, $0.width, $0.height) = (.fill, 16, 64) }
        }
        let seen = try await ends(of: run.result)
        #expect(seen.size == [16, 64])
        #expect([seen.first, seen.last] == ["red", "blue"])
    }

    @Test("the result is what was asked for, without any metadata", arguments: PictureFormat.allCases)
    func formats(_ format: PictureFormat) async throws {
        let file = MadePhoto.jpeg(width: 64, height: 64, orientation: 6)
        let run = try await HelperProgram.with { try $0.thumbnail(of: file) { $0.format = format } }
        guard case .thumbnail(let result) = run.result else { throw WireError("\(run.result)") }
        let starts: [PictureFormat: [UInt8]] = [.jpeg: [0xFF, 0xD8], .png: [0x89, 0x50], .webp: Array("RIFF".utf8)]
        #expect(result.format == format)
        #expect(result.data.starts(with: try #require(starts[format])))
        #expect(Data(result.data).range(of: Data("Exif".utf8)) == nil)
    }

    @Test("what is clear becomes white in a JPEG, and stays clear in a PNG")
    func transparency() async throws {
        let file = Array(#"<svg xmlns="http://www.w3.org/2000/svg" width="60" height="60"/>"#.utf8)
        let run = try await HelperProgram.with { program in
            [try program.thumbnail(of: file) { $0.format = .jpeg }, try program.thumbnail(of: file)]
        }
        #expect(try await ends(of: run.result[0]).first == "white")
        guard case .thumbnail(let clear) = run.result[1] else { throw WireError("\(run.result[1])") }
        let colour = try await Pixels.colours(in: clear.data, at: [(x: 1, y: 1)])
        #expect(colour.first?.last == 0)
    }
}
