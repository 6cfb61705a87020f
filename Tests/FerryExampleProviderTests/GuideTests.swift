import Foundation
import Testing

@Suite("The guide “Writing a provider for an HTTP API”")
struct GuideTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: folder.appending(path: path), encoding: .utf8)
    }

    @Test("shows the example's own lines, word for word")
    func verbatim() throws {
        let guide = try Self.text("../../Sources/FerryHTTP/FerryHTTP.docc/WritingAnHTTPProvider.md")
        let example = try Self.text("JSONFileProvider.swift")
        let blocks = guide.split(separator: "```swift\n", omittingEmptySubsequences: false).dropFirst()
            .compactMap { $0.split(separator: "```", omittingEmptySubsequences: false).first }
        #expect(blocks.count >= 8)
        for block in blocks { #expect(example.contains(block), "not in the example:\n\(block)") }
    }

    @Test("keeps its word: the example has less than 200 lines")
    func short() throws {
        let lines = try Self.text("JSONFileProvider.swift").split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count < 200)
    }
}
