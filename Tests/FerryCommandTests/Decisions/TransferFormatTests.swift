import FerryCore
import FerryTransfer
import Foundation
import Testing

@testable import FerryCommand

@Suite("How transfers are written and shown")
struct TransferFormatTests {
    @Test(
        "sizes are understood with and without units",
        arguments: [
            ("0", 0), ("500", 500), ("10K", 10_240), ("10k", 10_240), ("1.5M", 1_572_864), ("2 GiB", 2_147_483_648),
            ("3B", 3), ("1KB", 1_024), ("1T", 1_099_511_627_776),
        ]
    )
    func sizes(_ text: String, _ bytes: Int64) {
        #expect(ByteSize(argument: text)?.bytes == bytes)
    }

    @Test("what is no size is refused", arguments: ["", "K", "1x", "-1", "1.2.3", "9999999E", "1 2"])
    func notSizes(_ text: String) {
        #expect(ByteSize(argument: text) == nil)
    }

    @Test("limits of removing are counts or parts")
    func limits() {
        #expect(RemovalLimit(argument: "20")?.count == 20 && RemovalLimit(argument: "20")?.part == nil)
        #expect(RemovalLimit(argument: "12.5%")?.part == 0.125 && RemovalLimit(argument: "0")?.count == 0)
        for text in ["", "%", "-1", "101%", "x"] { #expect(RemovalLimit(argument: text) == nil) }
    }

    @Test("ages are spans before now, or dates")
    func ages() {
        let now = Date(timeIntervalSince1970: 1_000_000)
        #expect(Moment(argument: "2h")?.date(before: now) == now.addingTimeInterval(-7_200))
        #expect(Moment(argument: "2026-01-31")?.date(before: now) == Date(timeIntervalSince1970: 1_769_817_600))
        #expect(Moment(argument: "20") == nil && Moment(argument: "x") == nil)
    }

    @Test("orders")
    func orders() {
        #expect(OrderArgument(argument: "size,descending")?.order == TransferOrder(.size, ascending: false))
        #expect(OrderArgument(argument: "name")?.order == TransferOrder(.name))
        for text in ["", "size,", "size,up", "name,descending,x"] { #expect(OrderArgument(argument: text) == nil) }
    }

    @Test("what an include says comes last; alone it leaves out all other files")
    func patterns() {
        func isIn(_ path: ItemPath, isFolder: Bool = false, exclude: [String] = [], include: [String] = []) -> Bool {
            let patterns = FilterOptions.patterns(from: [], exclude: exclude, include: include)
            let item = FileObject(path: path, type: isFolder ? .directory : .file)
            return TransferFilter(patterns: patterns).includes(item, at: path)
        }
        #expect(isIn("/d/a.jpg", include: ["*.jpg"]) && !isIn("/d/a.txt", include: ["*.jpg"]))
        #expect(isIn("/d", isFolder: true, include: ["*.jpg"]))
        #expect(isIn("/d/docs/a", include: ["docs/"]) && isIn("/d/docs", isFolder: true, include: ["docs/"]))
        #expect(isIn("/docs/a/b", include: ["/docs/"]) && !isIn("/d/docs/a", include: ["/docs/"]))
        #expect(!isIn("/a.tmp", exclude: ["*.tmp"]) && isIn("/a", exclude: ["*.tmp"]))
        #expect(isIn("/keep.tmp", exclude: ["*.tmp"], include: ["keep.tmp"]))
    }

    private func lines(width: Int, height: Int, isListed: Bool = true) -> [String] {
        var status = TransferStatus()
        (status.filesFound, status.filesDone, status.failures) = (2_100, 1_204, 2)
        (status.bytesFound, status.bytesDone, status.isListed) = (2 << 30, 1 << 30, isListed)
        let lines = TransferLines(
            title: "photos",
            status: status,
            speed: 512e6,
            files: (1...9).map { .init(name: "2026/日本の写真 \($0).jpg", done: 5 << 20, total: 10 << 20) }
        )
        return lines.text(width: width, height: height)
    }

    @Test("the display fits whatever the terminal is", arguments: [1, 2, 10, 30, 40, 80, 200], [1, 2, 5, 24])
    func display(_ width: Int, _ height: Int) {
        let lines = lines(width: width, height: height)
        #expect(lines.count <= height && !lines.isEmpty)
        for line in lines { #expect(TerminalText.columns(of: line) <= max(width - 1, 0), "\(line)") }
    }

    @Test("the display says how much, how fast, how long, and what failed")
    func words() {
        let shown = lines(width: 100, height: 4)
        #expect(shown[0].hasPrefix("photos  ━") && shown[0].hasSuffix(" 50%  1.0 GiB of 2.0 GiB  488 MiB/s  0:02 left"))
        #expect(shown[1] == "  1,204 of 2,100 files, 2 errors")
        #expect(shown[2].contains("写真 1.jpg  ━") && shown[2].hasSuffix(" 50%  5.0 MiB of 10.0 MiB"), "\(shown[2])")
        // In a narrow terminal names stay, and numbers go.
        let narrow = lines(width: 30, height: 3)
        #expect(narrow[0].hasPrefix("photos  ━") && narrow[0].hasSuffix(" 50%"), "\(narrow)")
        #expect(narrow[2].contains("真 1.jpg") && narrow[2].hasSuffix(" 50%"), "\(narrow)")
        let early = lines(width: 100, height: 2, isListed: false)
        #expect(early == ["photos  1.0 GiB  488 MiB/s", "  1,204 of 2,100 files found so far, 2 errors"], "\(early)")
    }

    @Test("columns are counted as a terminal does")
    func columns() {
        #expect(TerminalText.columns(of: "abc") == 3 && TerminalText.columns(of: "日本") == 4)
        #expect(TerminalText.columns(of: "e\u{301}👍") == 3)
        #expect(TerminalText.shortened("日本の写真", to: 6) == "…写真")
        #expect(TerminalText.shortened("abcdef", to: 4) == "…def" && TerminalText.shortened("abc", to: 0) == "")
    }
}
