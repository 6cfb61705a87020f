import FerryCore
import Foundation
import Testing

@testable import FerryCommand

@Suite("What is told of a server that thinks for long")
struct WaitingNoticeTests {
    @Test("is whom it was, what was asked, and for how long")
    func line() throws {
        let watch = WaitWatch()
        _ = watch.begin("PROPFIND", host: "h\u{1B}[1m:8080")
        let later = ContinuousClock.now + .seconds(12)
        let wait = try #require(watch.waits(longerThan: WaitingNotice.threshold, now: later).first)
        let line = WaitingNotice.line(wait, now: wait.start + .seconds(12))
        #expect(line.contains("has not answered for 12 s (PROPFIND)") && !line.contains("\u{1B}"), "\(line)")
    }
}

@Suite("Names of what is kept in a backup folder")
struct BackupNameTests {
    @Test(
        "have the day and the time where that is asked for",
        arguments: [
            ("old", "old"), ("w:old/{date}", "w:old/2023-11-14"), (".{time}~", ".221320~"),
            ("{date}{time}", "2023-11-14221320"),
        ]
    )
    func dated(text: String, name: String) {
        #expect(BackupOption.dated(text, now: .init(timeIntervalSince1970: 1_700_000_000.9)) == name)
    }
}
