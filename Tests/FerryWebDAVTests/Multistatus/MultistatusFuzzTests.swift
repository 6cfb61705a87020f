import FerryCore
import FerryTestKit
import Foundation
import Testing

@testable import FerryWebDAV

@Suite("Any bytes in place of a multistatus")
struct MultistatusFuzzTests {
    private static let pieces = [
        "<", ">", "</", "/>", "&", ";", "&#0;", "&#x110000;", "<!DOCTYPE a>", "<![CDATA[", "]]>", "<!--", "-->",
        "<?xml ?>",
        "%", "%2e%2e", "%00", "/", "..", "\u{0}", "\u{FFFE}", "DAV:", "xmlns:d='x'", "<D:response>", "</D:response>",
        "<D:propstat>", "</D:prop>", "<D:href>", "HTTP/1.1 200 OK", "99999999999999999999", "\u{10F72F}",
    ]

    private func mutated(_ random: inout SeededGenerator) -> [UInt8] {
        var bytes = Array(MultistatusText.folder.utf8)
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            let at = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes[at] = UInt8.random(in: .min ... .max, using: &random)
            case 1: bytes.remove(at: at)
            case 2: bytes.removeSubrange(at..<min(bytes.count, at + Int.random(in: 1...100, using: &random)))
            case 3: bytes.insert(contentsOf: (Self.pieces.randomElement(using: &random) ?? "").utf8, at: at)
            default:
                let end = min(bytes.count, at + Int.random(in: 1...200, using: &random))
                let to = Int.random(in: 0..<bytes.count, using: &random)
                bytes.insert(contentsOf: Array(bytes[at..<end]), at: to)
            }
            if bytes.isEmpty { bytes = [0] }
        }
        return bytes
    }

    @Test("are entries or an error, the same in one piece and in many, and lead to no other folder", arguments: 0..<40)
    func fuzz(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let bytes = mutated(&random)
            let whole = Result { try MultistatusParser.entries(of: Data(bytes)) }
            let pieces = Result { () throws -> [MultistatusEntry] in
                let parser = try MultistatusParser()
                var start = 0
                while start < bytes.count {
                    let end = min(bytes.count, start + Int.random(in: 1...50, using: &random))
                    try bytes[start..<end].withUnsafeBytes { try parser.parse($0) }
                    start = end
                }
                try parser.finish()
                return parser.takeEntries()
            }
            switch (whole, pieces) {
            case (.success(let whole), .success(let pieces)):
                #expect(whole.map(\.href) == pieces.map(\.href), "seed \(seed)")
                #expect(whole.map(\.properties) == pieces.map(\.properties), "seed \(seed)")
                try check(whole)
            case (.failure(let first as URLError), .failure(let second as URLError)):
                #expect(first.code == .cannotParseResponse && second.code == .cannotParseResponse)
            default: Issue.record("seed \(seed): \(whole) and \(pieces) of \(String(decoding: bytes, as: UTF8.self))")
            }
        }
    }

    private func check(_ entries: [MultistatusEntry]) throws {
        var hrefs = try HrefReader(host: "example.org", target: "/dav/photos/", folder: "/photos", isDeep: false)
        for entry in entries {
            // A refused place is as good as a right one.
            guard case .item(let name, let folder)? = try? hrefs.place(of: entry.href) else { continue }
            #expect(folder == "/photos")
            #expect(folder.appending(name).parent == folder)
            #expect(!NameEscape.bytes(ofName: name).contains(UInt8(ascii: "/")))
        }
    }
}
