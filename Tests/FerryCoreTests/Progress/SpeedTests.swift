import FerryCore
import FerryMemory
import Foundation
import Testing

@Suite("Speed and time left")
struct SpeedTests {
    @Test("are known of a caller's own progress")
    func own() async throws {
        let files = MemoryFileProvider()
        let upload = Progress(totalUnitCount: 0)
        try await files.writeContents(
            path: "/a",
            contents: Data(repeating: 1, count: 1000),
            atomically: true,
            overwrite: false,
            reporting: upload
        )
        let start = try #require(upload.startTime)
        #expect(upload.kind == .file)
        #expect(upload.speed(at: start + 10) == 100)
        #expect(upload.timeLeft(at: start + 10) == .zero)
        let listing = Progress(totalUnitCount: 0)
        _ = try await files.contentsOfDirectory(path: "/", reporting: listing)
        #expect(listing.startTime.flatMap { listing.speed(at: $0 + 2) } == 0.5)
        let search = Progress(totalUnitCount: 0)
        _ = try await files.searchFiles(
            path: "/",
            recursive: true,
            query: .all,
            reporting: search,
            foundItemHandler: nil
        )
        #expect(search.startTime != nil)
    }

    @Test("count from the first beginning")
    func first() {
        let progress = Progress(totalUnitCount: 100)
        let start = Date(timeIntervalSinceReferenceDate: 0)
        progress.beginFileWork(at: start)
        progress.beginFileWork(at: start + 50)
        progress.completedUnitCount = 20
        #expect(progress.speed(at: start + 10) == 2)
        #expect(progress.timeLeft(at: start + 10) == .seconds(40))
    }
}
