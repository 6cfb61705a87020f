import FerryMediaWire
import FerryTestServers
import Foundation
import Testing

@Suite("Files that mean harm to ferry-media")
struct HostileFileTests {
    /// The most memory that a program may ever have in use.
    static let memory = 300 << 20

    private static let svg = #"<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" "#

    /// The outcome for a file: the answer, the memory, and whether the program still does its work afterwards.
    private struct Outcome: Sendable {
        let answer: HelperProgram.Answer
        let memory: Int
        let goesOn: Bool
    }

    private func outcome(
        of file: [UInt8],
        _ change: @escaping @Sendable (inout ThumbnailJob) -> Void = { _ in }
    ) async throws -> Outcome {
        let good = try Samples.bytes("flag.png")
        return try await HelperProgram.with { program in
            let answer = try program.thumbnail(of: file, change)
            let memory = program.peakMemory
            guard answer != .ended else { return Outcome(answer: answer, memory: memory, goesOn: false) }
            guard case .thumbnail = try program.thumbnail(of: good) else {
                return Outcome(answer: answer, memory: memory, goesOn: false)
            }
            return Outcome(answer: answer, memory: memory, goesOn: true)
        }.result
    }

    /// Refused in words, or by the end of the program; but never for long, nor with much memory.
    private func expectContained(_ outcome: Outcome, _ name: String) {
        #expect(outcome.memory <= Self.memory, "\(name)")
        #expect(outcome.goesOn || outcome.answer == .ended, "\(name)")
    }

    @Test("a picture of 60,000 × 60,000 is refused by its header, in words")
    func hugePicture() async throws {
        var header: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
        header += [0, 0, 0xEA, 0x60, 0, 0, 0xEA, 0x60, 8, 6, 0, 0, 0, 0x80, 0xD2, 0x75, 0x42]
        header += [0, 0, 0, 0] + Array("IDAT".utf8) + [0x35, 0xAF, 0x06, 0x1E]
        let outcome = try await outcome(of: header)
        guard case .refused(.tooLarge, let words) = outcome.answer else { throw WireError("\(outcome.answer)") }
        #expect(words.contains("60000 × 60000"))
        #expect(outcome.goesOn)
        #expect(outcome.memory < 100 << 20)
    }

    @Test("a GIF of 65,535 × 65,535 in 40 bytes is refused")
    func hugeAnimation() async throws {
        let file: [UInt8] =
            Array("GIF89a".utf8) + [255, 255, 255, 255, 0xF0, 0, 0] + [0, 0, 0, 255, 255, 255] + [0x2C, 0, 0, 0, 0]
            + [255, 255, 255, 255, 0, 2, 2, 0x4C, 1, 0, 0x3B]
        let outcome = try await outcome(of: file)
        guard case .refused = outcome.answer else { throw WireError("\(outcome.answer)") }
        #expect(outcome.goesOn)
    }

    private static func document(kids: String, count: Int, box: String = "0 0 200 100") -> [UInt8] {
        Array(
            """
            %PDF-1.4
            1 0 obj
            << /Type /Catalog /Pages 2 0 R >>
            endobj
            2 0 obj
            << /Type /Pages /Count \(count) /Kids [\(kids)] >>
            endobj
            3 0 obj
            << /Type /Page /Parent 2 0 R /MediaBox [\(box)] >>
            endobj
            trailer << /Root 1 0 R >>

            """.utf8
        )
    }

    @Test("a document of a million pages, or that says so, or that contains itself, or is a mile wide")
    func documents() async throws {
        let million = Self.document(kids: String(repeating: "3 0 R ", count: 1_000_000), count: 1_000_000)
        for (name, file) in [
            ("a million", million), ("says so", Self.document(kids: "3 0 R", count: 1_000_000)),
            ("itself", Self.document(kids: "2 0 R", count: 1)),
            ("wide", Self.document(kids: "3 0 R", count: 1, box: "0 0 2000000000 1000000000")),
        ] {
            for page in [1, 999_999] { expectContained(try await outcome(of: file) { $0.page = page }, name) }
        }
    }

    @Test(
        "a drawing that is deep, a bomb, or without end",
        arguments: [
            ("deep", 100_000), ("clear", 5_000), ("uses", 9), ("entities", 11), ("turbulence", 1), ("itself", 1),
            ("wide", 1), ("dashes", 1),
        ]
    )
    func drawings(_ name: String, _ count: Int) async throws {
        let drawing: String
        let size = #"width="100" height="100">"#
        switch name {
        case "deep":
            drawing =
                Self.svg + size + String(repeating: "<g>", count: count) + String(repeating: "</g>", count: count)
                + "</svg>"
        case "clear":
            drawing =
                Self.svg + size + String(repeating: #"<g opacity="0.9">"#, count: count)
                + String(repeating: "</g>", count: count) + "</svg>"
        case "uses":
            let groups = (1...count).map { level in
                "<g id=\"a\(level)\">" + String(repeating: "<use xlink:href=\"#a\(level - 1)\"/>", count: 10) + "</g>"
            }
            drawing =
                Self.svg + size + "<defs><rect id=\"a0\" width=\"1\" height=\"1\"/>" + groups.joined()
                + "</defs><use xlink:href=\"#a\(count)\"/></svg>"
        case "entities":
            let entities = (1...count).map { level in
                "<!ENTITY a\(level) \"" + String(repeating: "&a\(level - 1);", count: 10) + "\">"
            }
            drawing =
                "<!DOCTYPE svg [<!ENTITY a0 \"ha\">" + entities.joined() + "]>" + Self.svg + size
                + "<text>&a\(count);</text></svg>"
        case "turbulence":
            drawing =
                Self.svg + size
                + "<filter id=\"f\"><feTurbulence baseFrequency=\"0.01\" numOctaves=\"100000000\"/></filter>"
                + "<rect width=\"100\" height=\"100\" filter=\"url(#f)\"/></svg>"
        case "itself":
            drawing =
                Self.svg + size
                + "<pattern id=\"p\" width=\"1\" height=\"1\"><rect width=\"9\" height=\"9\" fill=\"url(#p)\"/>"
                + "</pattern><g id=\"g\"><use xlink:href=\"#g\"/></g><rect width=\"99\" height=\"99\" fill=\"url(#p)\"/></svg>"
        case "wide":
            drawing = Self.svg + #"width="1000000000" height="1"><rect width="9" height="9"/></svg>"#
        default:
            drawing =
                Self.svg + size + "<path d=\"M0 0H1000000000\" stroke=\"red\" stroke-dasharray=\"0.000001\"/></svg>"
        }
        expectContained(try await outcome(of: Array(drawing.utf8)), name)
    }

    @Test("a job that never ends is ended by the kernel, and its end says why")
    func endless() async throws {
        let drawing =
            Self.svg + "width=\"5000\" height=\"5000\"><filter id=\"f\" x=\"0\" y=\"0\" width=\"100%\" height=\"100%\">"
            + "<feTurbulence baseFrequency=\"0.01\" numOctaves=\"1000000\"/></filter>"
            + "<rect width=\"5000\" height=\"5000\" filter=\"url(#f)\"/></svg>"
        let run = try await HelperProgram.with { program in
            try program.thumbnail(of: Array(drawing.utf8)) { ($0.width, $0.height) = (2000, 2000) }
        }
        #expect(run.result == .ended)
        let isTime = [
            .exited(ProgramEnding.tooSlow.rawValue), .signaled(ProgramEnding.tooBusySignal),
            .signaled(ProgramEnding.tooBusySignalOfLimit),
        ].contains(run.ending)
        #expect(isTime, "\(run.ending)")
    }
}
