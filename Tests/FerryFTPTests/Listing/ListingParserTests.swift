import FerryCore
import FerryTestKit
import Foundation
import Testing

@testable import FerryFTP

@Suite("Lines of FTP listings")
struct ListingParserTests {
    @Test("are read whatever kind of server wrote them", arguments: ListingLine.all)
    func reads(_ expected: ListingLine) throws {
        var parser = FTPListParser(hasFacts: false, now: ListingLine.now)
        try check(try parser.parse(Array(expected.line.utf8)), expected)
    }

    @Test("are read as MLSD's", arguments: ListingLine.facts)
    func readsFacts(_ expected: ListingLine) throws {
        var parser = FTPListParser(hasFacts: true, now: ListingLine.now)
        try check(try parser.parse(Array(expected.line.utf8)), expected)
    }

    private func check(_ entry: FTPListEntry?, _ expected: ListingLine) throws {
        let entry = try #require(entry)
        #expect(String(decoding: entry.name, as: UTF8.self).utf8.elementsEqual(expected.name.utf8))
        #expect(entry.kind == expected.kind)
        #expect(entry.size == expected.size)
        if let date = expected.date {
            let moment = try #require(entry.date)
            #expect(Date(timeIntervalSince1970: moment.seconds.rounded(.down)).formatted(Self.style) == date)
        }
        if let permissions = expected.permissions { #expect(entry.permissions == permissions) }
        if let owner = expected.owner { #expect(entry.owner == owner) }
        #expect(entry.target.map { String(decoding: $0, as: UTF8.self) } == expected.target)
    }

    private static let style = Date.VerbatimFormatStyle(
        format: """
            \(year: .padded(4))-\(month: .twoDigits)-\(day: .twoDigits) \
            \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits)
            """,
        timeZone: .gmt,
        calendar: Calendar(identifier: .gregorian)
    )

    @Test(
        "that are around the items are passed over",
        arguments: [
            "total 12", "total of 3 files", "insgesamt 12", "", "Directory DISK$USER:[FERRY]",
            "Total of 3 files, 12/18 blocks.",
        ]
    )
    func passesOver(_ line: String) throws {
        var parser = FTPListParser(hasFacts: false, now: ListingLine.now)
        #expect(try parser.parse(Array(line.utf8)) == nil)
    }

    @Test(
        "that nobody can read are an error, never a shorter folder",
        arguments: [
            "ls: cannot open directory: Permission denied", "-rw-r--r-- 1 a b", "garbage",
            "-rw-r--r-- 1 a b 9 Nov 26 07:35 ",
        ]
    )
    func refuses(_ line: String) throws {
        var parser = FTPListParser(hasFacts: false, now: ListingLine.now)
        #expect(throws: FTPListParser.UnreadableLine.self) { try parser.parse(Array(line.utf8)) }
        var facts = FTPListParser(hasFacts: true, now: ListingLine.now)
        #expect(throws: FTPListParser.UnreadableLine.self) { try facts.parse(Array(line.utf8)) }
    }

    @Test("of OpenVMS that are wrapped belong together")
    func wraps() throws {
        var parser = FTPListParser(hasFacts: false, now: ListingLine.now)
        #expect(try parser.parse(Array("A-VERY-LONG-NAME-FOR-ONE-LINE.TXT;12".utf8)) == nil)
        let entry = try parser.parse(Array("              10/18  29-JAN-2020 03:33:12 [FERRY] (RWED,RWED,,)".utf8))
        #expect(entry?.name == Array("A-VERY-LONG-NAME-FOR-ONE-LINE.TXT".utf8))
        try parser.end()
        _ = try parser.parse(Array("HALF.TXT;1".utf8))
        #expect(throws: FTPListParser.UnreadableLine.self) { try parser.end() }
    }

    @Test("that were changed at random never end the process, and give no name with a line break")
    func survivesMutations() async {
        var generator = SeededGenerator(seed: 28)
        let lines = (ListingLine.all + ListingLine.facts).map { Array($0.line.utf8) }
        var entries = 0
        for number in 0..<100_000 {
            // Others wait for this thread, too.
            if number % 100 == 0 { await Task.yield() }
            var line = lines[Int.random(in: lines.indices, using: &generator)]
            for _ in 0..<Int.random(in: 1...4, using: &generator) { mutate(&line, using: &generator) }
            for hasFacts in [false, true] {
                var parser = FTPListParser(hasFacts: hasFacts, now: ListingLine.now)
                guard let entry = try? parser.parse(line) else { continue }
                entries += 1
                #expect(!entry.name.isEmpty)
                if let size = entry.size { #expect(size >= 0) }
            }
        }
        // Most changes leave a line readable: else this would prove nothing.
        #expect(entries > 20_000)
    }

    private func mutate(_ line: inout [UInt8], using generator: inout SeededGenerator) {
        guard !line.isEmpty else { return line = [.random(in: .min ... .max, using: &generator)] }
        let index = Int.random(in: line.indices, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: line[index] = .random(in: .min ... .max, using: &generator)
        case 1: line.remove(at: index)
        case 2: line.insert(.random(in: .min ... .max, using: &generator), at: index)
        default: line = Array(line[..<index])
        }
    }

    @Test("are the same however the bytes were cut", arguments: [1, 2, 3, 7, 64])
    func splits(_ size: Int) throws {
        let text = ListingLine.all.map(\.line).joined(separator: "\r\n") + "\nlast"
        var splitter = FTPLineSplitter()
        var lines: [[UInt8]] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: size) {
            try bytes[start..<min(start + size, bytes.count)].withUnsafeBytes { part in
                try splitter.add(part) { lines.append($0) }
            }
        }
        if let rest = splitter.end() { lines.append(rest) }
        #expect(lines.map { String(decoding: $0, as: UTF8.self) } == ListingLine.all.map(\.line) + ["last"])
    }

    @Test("of 64 KiB without an end are refused")
    func refusesEndlessLines() {
        var splitter = FTPLineSplitter()
        let bytes = [UInt8](repeating: 0x41, count: 65 << 10)
        #expect(throws: FTPLineSplitter.TooLong.self) { try bytes.withUnsafeBytes { try splitter.add($0) { _ in } } }
    }
}
