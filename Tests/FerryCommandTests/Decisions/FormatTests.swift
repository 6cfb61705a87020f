import FerryCore
import Foundation
import Testing

@testable import FerryCommand

@Suite("How things are written")
struct FormatTests {
    @Test(
        "dates are in UTC, with as many of six decimals as there are",
        arguments: [
            (0.0, "2001-01-01T00:00:00Z"), (0.5, "2001-01-01T00:00:00.5Z"), (-0.000001, "2000-12-31T23:59:59.999999Z"),
            (791_544_600.25, "2026-01-31T09:30:00.25Z"), (-978_307_200, "1970-01-01T00:00:00Z"),
            (1e18, "9999-12-31T23:59:59Z"), (-1e18, "0000-01-01T00:00:00Z"), (-63_114_000_000, "0000-12-30T21:20:00Z"),
        ]
    )
    func dates(_ seconds: Double, _ expected: String) {
        #expect(UTCTime.text(Date(timeIntervalSinceReferenceDate: seconds)) == expected)
    }

    @Test(
        "JSON escapes what it must",
        arguments: [
            ("plain é", #""plain é""#), ("a\"b\\c", #""a\"b\\c""#), ("\n\r\t\u{1}\u{7F}", ##""\n\r\t\u0001\u007f""##),
        ]
    )
    func escapes(_ text: String, _ expected: String) throws {
        var line = JSONLine()
        line.string(text)
        #expect(String(decoding: line.bytes, as: UTF8.self) == expected)
        let back = try JSONSerialization.jsonObject(with: Data(line.bytes), options: .fragmentsAllowed)
        #expect(back as? String == text)
    }

    @Test("numbers keep every digit", arguments: [0, 7, -1, Int64.max, .min])
    func numbers(_ number: Int64) {
        var line = JSONLine()
        line.number(number)
        #expect(String(decoding: line.bytes, as: UTF8.self) == String(number))
    }

    @Test(
        "short sizes",
        arguments: [(0, "0"), (1023, "1023"), (1024, "1.0K"), (1025, "1.1K"), (10_240, "10K"), (1 << 31, "2.0G")]
    )
    func sizes(_ bytes: Int64, _ expected: String) {
        #expect(Quantity.short(bytes: bytes) == expected)
    }

    @Test("times and counts")
    func times() {
        #expect(Quantity.time(.microseconds(380)) == "380 µs")
        #expect(Quantity.time(.milliseconds(12)) == "12 ms")
        #expect(Quantity.time(.milliseconds(3400)) == "3.4 s")
        #expect(Quantity.time(.seconds(125)) == "2:05")
        #expect(Quantity.clock(.seconds(3723)) == "1:02:03")
        #expect(Quantity.count(1, "file") == "1 file")
        #expect(Quantity.count(1_234_567, "file") == "1,234,567 files")
    }

    @Test("control characters and what turns text around are harmless on a terminal")
    func harmless() {
        #expect(TerminalText.harmless("a\u{1B}[2Jb\u{9B}c\u{202E}d") == "a?[2Jb?c?d")
        #expect(TerminalText.harmless("é日本👍") == "é日本👍")
        #expect(TerminalText.oneLine("a\nb\u{1B}") == #"a\nb\u{1b}"#)
    }

    @Test("a progress line fits, and says what matters most", arguments: [1, 5, 10, 20, 40, 60, 80, 200])
    func progress(_ width: Int) {
        let line = ProgressLine(
            title: "a rather long name of a folder",
            done: 1 << 30,
            total: 2 << 30,
            countsBytes: true,
            speed: 400e6,
            timeLeft: .seconds(3)
        )
        let text = line.text(width: width)
        #expect(text.count < max(width, 1) || text.isEmpty)
        if width >= 20 { #expect(text.contains("50%")) }
        if width >= 80 { #expect(text.contains("1.0 GiB of 2.0 GiB  381 MiB/s  0:03 left")) }
    }

    @Test("an error is one line: path, what happened, what to do")
    func errors() async throws {
        let location = try await Storages(environment: [:], currentFolder: "/cwd").location("memory:a")
        #expect(
            ErrorLine(CocoaError.noSuchItem("/a/b"), about: [location]).text
                == "ferry: memory:a/b: no such file or folder, check the name, or list the folder it should be in"
        )
        #expect(
            ErrorLine(PreconditionFailedError(path: "/a"), about: [location]).text.hasPrefix("ferry: memory:a: changed")
        )
        #expect(ErrorLine(POSIXError(.EIO), about: [location]).text == "ferry: memory:a: input/output error")
        #expect(
            ErrorLine(URLError.wrongLength(expected: 2, received: 1)).text == "ferry: 2 bytes were announced, 1 came"
        )
        // Of many items, the one is named; an error that names one itself is believed.
        #expect(
            ErrorLine(POSIXError(.EIO), about: [location], item: "/c/d").text
                == "ferry: memory:a/c/d: input/output error"
        )
        let named = ErrorLine(CocoaError.noSuchItem("/a/b"), about: [location], item: "/c").text
        #expect(named.hasPrefix("ferry: memory:a/b: "))
    }

    @Test("what is in the way or full is at the target, though all sources have the same path")
    func targets() async throws {
        let storages = Storages(environment: [:], currentFolder: "/cwd")
        let places = try await [
            storages.location("memory:x"), storages.location("/x"), storages.location("memory:x"),
        ]
        let full = CocoaError.file(.fileWriteOutOfSpace, path: "/x/a")
        #expect(ErrorLine(full, about: places).text.hasPrefix("ferry: memory:x/a: "))
        #expect(ErrorLine(CocoaError.itemExists("/x/a"), about: places).text.hasPrefix("ferry: memory:x/a: "))
    }
}
