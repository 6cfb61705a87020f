import FerryCore
import FerryTestKit
import FerryUndo
import Foundation
import Testing

@testable import FerryCommand

@Suite("Lines of the history")
struct HistoryLineTests {
    private static let names = ["a", "é\u{301}", "two words", "\"\\\n\t\u{1}\u{7F}", "\u{FFFD}😀", "%41"]

    private static func stamp(_ random: inout some RandomNumberGenerator) -> ItemStamp? {
        if Int.random(in: 0..<5, using: &random) == 0 { return nil }
        var item = FileObject(path: "/x", type: Bool.random(using: &random) ? .file : .directory)
        if Bool.random(using: &random) { item.size = Int64.random(in: .min ... .max, using: &random) }
        if Bool.random(using: &random) {
            let seconds = Double.random(in: -1e10...1e10, using: &random)
            item.modifiedDate = Date(
                timeIntervalSinceReferenceDate: Bool.random(using: &random) ? seconds : 817_082_179
            )
        }
        if Bool.random(using: &random) { item.eTag = "W/\"\(Self.names.randomElement(using: &random) ?? "")\"" }
        if Bool.random(using: &random) { item.permissions = .random(in: 0...0o7777, using: &random) }
        return ItemStamp(item, tree: Int.random(in: 0..<20, using: &random) == 0 ? TreeStamp() : nil)
    }

    @Test("new files are read as they were written, whatever they are called")
    func newFiles() throws {
        let seed = ProcessInfo.processInfo.environment["FERRY_SEED"].flatMap { UInt64($0) } ?? 0
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            let steps = (0..<Int.random(in: 0...4, using: &random)).compactMap { _ -> UndoStep? in
                let path = ItemPath.root.appending(Self.names.randomElement(using: &random) ?? "")
                if Int.random(in: 0..<20, using: &random) == 0 { return .lost(path, "a \"reason\"") }
                return .added(path, Self.stamp(&random), again: nil)
            }
            let path = ItemPath.root.appending(Self.names.randomElement(using: &random) ?? "")
            let entry = HistoryEntry(
                prefix: Self.names.randomElement(using: &random) ?? "",
                entry: UndoEntry(operation: .create(path: path), steps: steps, isComplete: Bool.random(using: &random))
            )
            let text = try entry.text()
            #expect(!text.contains("\n"), "seed \(seed)")
            #expect(try JSONDecoder().decode(HistoryEntry.self, from: Data(text.utf8)) == entry, "seed \(seed)")
        }
    }

    @Test("what was done just as it was meant to be is complete; a word about what nobody knows is counted as strange")
    func done() throws {
        let (group, header) = (
            UUID(),
            HistoryHeader(kind: .done, date: Date(), arguments: ["cp"], folder: "/", process: .current)
        )
        let entry = UndoEntry(
            operation: .create(path: "/a"),
            steps: [.added("/a", nil, again: nil), .added("/b", nil, again: nil)],
            isComplete: false
        )
        let lines: [HistoryLine] = [
            .begun(group, header), .entry(group, HistoryEntry(prefix: "", entry: entry)), .done(group, entry: entry.id),
            .done(group, entry: UUID()),
        ]
        let texts = try lines.map { try $0.text()[...].utf8 }
        let history = History(lines: texts)
        var complete = entry
        complete.isComplete = true
        #expect(history.groups.first?.entries == [HistoryEntry(prefix: "", entry: complete)])
        #expect(history.strangeLines == 1)
        #expect(History(lines: Array(texts.dropLast(2))).groups.first?.entries.first?.entry.isComplete == false)
        // Of earlier groups nothing is read but that they were.
        #expect(History(lines: texts, latest: 0).strangeLines == 0)
    }

    @Test("are found however long they are, and put in order without the groups of which nothing is left")
    func file() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ferry-history-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "history").path(percentEncoded: false)
        let groups = (0..<4).map { _ in UUID() }
        var lines: [String] = []
        for (number, group) in groups.enumerated() {
            lines.append("B \(group) {}")
            for length in [0, 1, 70_000, 262_144, 600_001] {
                lines.append("E \(group) " + String(repeating: "\(number)", count: length))
            }
            lines.append("F \(group) 0")
            if number == 1 { lines.append("D \(group)") }
            // A line that drops what is kept on one storage alone is no reason to forget the rest.
            if number == 2 { lines.append("D \(group) dav://host") }
        }
        let file = HistoryFile(path: path)
        #expect(try file.lines().isEmpty && file.lines(of: "BF").isEmpty)
        // An empty line, and a last one without an end.
        try Data((lines.joined(separator: "\n\n") + "\nX").utf8).write(to: URL(filePath: path))
        #expect(try file.lines().map { String(Substring($0)) } == lines + ["X"])
        let wanted = lines.filter { !$0.hasPrefix("E") }
        #expect(try file.lines(of: "BFKDX").map { String(Substring($0)) } == wanted + ["X"])
        let some = lines.filter { $0.hasPrefix("B") || $0.contains(groups[2].uuidString) }
        #expect(try file.lines(of: "B", allOf: [groups[2]]).map { String(Substring($0)) } == some)
        try file.shorten(HistoryShortening(HistoryLimits(environment: [:])))
        let dropped = groups[1].uuidString
        #expect(try file.lines().map { String(Substring($0)) } == lines.filter { !$0.contains(dropped) })
        let before = try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
        try file.shorten(HistoryShortening(HistoryLimits(environment: [:])))
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int == before)
        try file.append([.done(groups[3], entry: groups[0])])
        #expect(try file.lines().last.map { String(Substring($0)) } == "C \(groups[3]) \(groups[0])")
    }

    @Test("an undoing that broke off long ago, or of what had to make room, is never said to be done")
    func brokenOff() throws {
        func header(_ kind: HistoryHeader.Kind) -> HistoryHeader {
            HistoryHeader(kind: kind, date: Date(), arguments: ["rm", "a"], folder: "/", process: .current)
        }
        let (command, undoing) = (UUID(), UUID())
        let entry = UndoEntry(operation: .create(path: "/a"), steps: [.added("/a", nil, again: nil)], isComplete: true)
        let begun: [HistoryLine] = [
            .begun(command, header(.done)), .entry(command, HistoryEntry(prefix: "", entry: entry)),
            .ended(command, kept: ["": 0]), .begun(undoing, header(.undo(of: command))),
        ]
        let taken: [HistoryLine] = [.turned(command, entry: entry.id, left: 0)]
        let later: [HistoryLine] = (0..<3).flatMap { _ -> [HistoryLine] in
            let id = UUID()
            return [.begun(id, header(.done)), .ended(id, kept: ["": 0])]
        }
        func concluded(_ lines: [HistoryLine], latest: Int = .max) throws -> UUID? {
            let texts = try lines.map { Substring(try $0.text()).utf8 }
            return History(lines: texts, latest: latest).concluded(isRedo: false)?.given.id
        }
        #expect(try concluded(begun) == nil)
        #expect(try concluded(begun + taken + later) == command)
        #expect(try concluded(begun + later, latest: 3) == nil)
        #expect(try concluded(begun + taken + later, latest: 3) == nil)
        #expect(try concluded(begun + taken + [.dropped(undoing)]) == nil)
    }

    private func header(_ kind: HistoryHeader.Kind) -> HistoryHeader {
        HistoryHeader(kind: kind, date: Date(), arguments: ["rm", "a"], folder: "/", process: .current)
    }

    private func history(_ lines: [HistoryLine]) throws -> History {
        History(lines: try lines.map { Substring(try $0.text()).utf8 })
    }

    @Test("a step that is taken back has the names of all attempts, until it was taken back")
    func attempts() throws {
        let (command, undoing) = (UUID(), UUID())
        let entry = UndoEntry(
            operation: .create(path: "/a"),
            steps: [.made(folder: "/a", nil), .made(folder: "/a/b", nil)],
            isComplete: true
        )
        let lines: [HistoryLine] = [
            .begun(command, header(.done)), .entry(command, HistoryEntry(prefix: "", entry: entry)),
            .ended(command, kept: ["": 0]), .begun(undoing, header(.undo(of: command))),
            .turning(command, entry: entry.id, name: "first"), .turning(command, entry: entry.id, name: "second"),
        ]
        #expect(try history(lines).groups.first?.turning == [entry.id: ["first", "second"]])
        let turned = try history(lines + [.turned(command, entry: entry.id, left: 1)])
        #expect(turned.groups.first?.turning == [:] && turned.groups.first?.entries.first?.entry.steps.count == 1)
        // Also where the entries of the command are too old to be read.
        let all = try (lines + [.turned(command, entry: entry.id, left: 1)]).map { Substring(try $0.text()).utf8 }
        let late = History(lines: all, latest: 1)
        #expect(late.groups.first?.isRead == false && late.groups.first?.turning == [:] && late.strangeLines == 0)
    }

    @Test("nothing is redone to its end once something else was done")
    func latest() throws {
        let (command, undoing, redoing, other) = (UUID(), UUID(), UUID(), UUID())
        func entry() -> HistoryEntry {
            HistoryEntry(
                prefix: "",
                entry: UndoEntry(operation: .create(path: "/a"), steps: [.made(folder: "/a", nil)], isComplete: true)
            )
        }
        let lines: [HistoryLine] = [
            .begun(command, header(.done)), .entry(command, entry()), .ended(command, kept: ["": 0]),
            .begun(undoing, header(.undo(of: command))), .ended(undoing, kept: ["": 0]),
            .begun(redoing, header(.redo(of: undoing))),
        ]
        let before = try history(lines)
        let redone = try #require(before.commands.first)
        #expect(before.isLatest(redone))
        let later = try history(lines + [.begun(other, header(.done)), .entry(other, entry())])
        let former = try #require(later.commands.first)
        #expect(!later.isLatest(former))
    }

    @Test("a redoing that others go on with stays that of the same undoing")
    func goneOnWith() throws {
        let (command, undoing, redoing) = (UUID(), UUID(), UUID())
        let entry = UndoEntry(operation: .create(path: "/a"), steps: [.added("/a", nil, again: nil)], isComplete: true)
        let lines: [HistoryLine] = [
            .begun(command, header(.done)), .entry(command, HistoryEntry(prefix: "", entry: entry)),
            .ended(command, kept: ["": 0]), .begun(undoing, header(.undo(of: command))), .ended(undoing, kept: ["": 0]),
            .begun(redoing, header(.redo(of: undoing))), .begun(redoing, header(.redo(of: redoing))),
        ]
        let commands = try history(lines).commands
        #expect(commands.map(\.given.id) == [command] && commands.first?.turns.map(\.id) == [undoing, redoing])
        #expect(commands.first?.unfinished(isRedo: true)?.id == redoing)
    }
}
