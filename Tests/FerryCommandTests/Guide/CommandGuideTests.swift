import Foundation
import Testing

@Suite("The guide to the command")
struct CommandGuideTests {
    /// A line of a page that runs the command.
    struct Line: Sendable, CustomTestStringConvertible {
        let page: String
        let words: [String]

        var testDescription: String { "\(page): \(words.joined(separator: " "))" }
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")

    private static func lines() throws -> [Line] {
        let guide = root.appending(path: "Documentation/Guide")
        let pages = try FileManager.default.contentsOfDirectory(at: guide, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "md" }
        var lines: [Line] = []
        for page in [root.appending(path: "README.md")] + pages {
            let text = try String(contentsOf: page, encoding: .utf8)
            for block in text.matches(of: /```\n([\s\S]*?)```/) {
                for line in block.1.split(separator: "\n") {
                    for command in String(line).components(separatedBy: "; ") {
                        let words = command.split(separator: " ").map(String.init)
                        guard words.first == "ferry", words.count > 1 else { continue }
                        lines.append(Line(page: page.lastPathComponent, words: Array(words.dropFirst())))
                    }
                }
            }
        }
        return lines
    }

    @Test("shows subcommands and options that there are")
    func options() async throws {
        let lines = try Self.lines()
        #expect(lines.count > 40)
        let sandbox = try Sandbox()
        var helps: [[String]: String] = [:]
        func help(_ names: [String]) async throws -> String {
            if let known = helps[names] { return known }
            let text = try await sandbox.bash("ferry \(names.joined(separator: " ")) --help").output
            helps[names] = text
            return text
        }
        for line in lines where !line.words[0].hasPrefix("-") {
            var names = [line.words[0]]
            var text = try await help(names)
            let parts = text.components(separatedBy: "SUBCOMMANDS:\n").dropFirst().joined()
            if line.words.count > 1, parts.contains("\n  \(line.words[1])") || parts.hasPrefix("  \(line.words[1])") {
                names.append(line.words[1])
                text = try await help(names)
            }
            #expect(text.contains("USAGE: ferry \(names.joined(separator: " "))"), "\(line.testDescription)")
            for option in line.words where option.hasPrefix("--") {
                #expect(text.contains(option), "\(line.testDescription)")
            }
        }
    }
}
