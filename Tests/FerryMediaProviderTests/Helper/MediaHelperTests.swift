import FerryCore
import FerryMediaWire
import FerryTestServers
import Foundation
import Testing

@testable import FerryMedia

@Suite("The programs that decode", .timeLimit(.minutes(30)))
struct MediaHelperTests {
    private static func source(_ name: String, _ read: @escaping @Sendable () async throws -> Data) -> MediaSource {
        var item = FileObject(path: ItemPath.root.appending("x.\(name)"), type: .file)
        item.size = 4
        return MediaSource(item: item) { _ in try await read() }
    }

    @Test("get the bytes that they ask for, in portions, and nothing else")
    func bytes() async throws {
        let contents = String(repeating: "0123456789", count: 30_000)
        #expect(try await Programs.engine().said("echo", contents) == contents)
        #expect(try await Programs.engine().said("beyond", "abc") == "0")
    }

    @Test("are started once for jobs one after the other, and end with the engine")
    func reuse() async throws {
        var engine: MediaHelper? = Programs.engine()
        let first = try await engine?.pid()
        let pid = try #require(first)
        for _ in 0..<5 { #expect(try await engine?.pid() == pid) }
        #expect(engine?.pool.counts.programs == 1 && engine?.pool.idlePIDs == [pid])
        engine = nil
        try await until("the program is gone") { isGone(pid) }
    }

    @Test("are no more than allowed, and the others wait")
    func limit() async throws {
        let engine = Programs.engine(limit: 2)
        let gate = Gate()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let source = Self.source("echo") {
                        try await gate.pass()
                        return Data("abcd".utf8)
                    }
                    _ = try await engine.thumbnail(of: source, options: ThumbnailOptions())
                }
            }
            try await until("two jobs read and six wait") { gate.arrived == 2 && engine.pool.counts.waiting == 6 }
            #expect(engine.pool.counts.programs == 2)
            gate.open()
            try await group.waitForAll()
        }
        #expect(engine.pool.counts.programs == 2 && engine.pool.counts.waiting == 0)
    }

    @Test("a job that waits for its turn can be cancelled, and one that reads, and the program goes on")
    func cancellation() async throws {
        let engine = Programs.engine(limit: 1)
        let pid = try await engine.pid()
        let gate = Gate()
        let reading = Task {
            let source = Self.source("echo") {
                try await gate.pass()
                return Data("abcd".utf8)
            }
            return try await engine.thumbnail(of: source, options: ThumbnailOptions())
        }
        try await until("a job reads") { gate.arrived == 1 }
        let waiting = Task { try await engine.pid() }
        try await until("a job waits") { engine.pool.counts.waiting == 1 }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(engine.pool.counts.waiting == 0)
        reading.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
        #expect(try await engine.pid() == pid)
    }

    @Test("a job that decodes can be cancelled, and its program is gone", arguments: ["hang", "busy"])
    func cancelledDecoding(_ name: String) async throws {
        let engine = Programs.engine(limit: 1)
        let pid = try await engine.pid()
        let job = Task { try await engine.said(name) }
        try await until("no program is idle") { engine.pool.idlePIDs.isEmpty }
        job.cancel()
        await #expect(throws: CancellationError.self) { try await job.value }
        // Cancelled before the job began, it is the same program as before.
        let next = try await engine.pid()
        #expect(next == pid || isGone(pid))
        #expect(engine.pool.counts.programs == 1)
    }

    @Test("that break fail one job only, with an error that says so, and leave no zombie")
    func crash() async throws {
        let engine = Programs.engine(limit: 1)
        for (name, code) in [
            ("crash", CocoaError.Code.fileReadCorruptFile), ("exit-3", .fileReadCorruptFile),
            ("exit-75", .fileReadTooLarge), ("exit-71", .fileReadTooLarge), ("exit-69", .featureUnsupported),
            ("exit-127", .featureUnsupported),
            ("other", .fileReadUnknown), ("instead", .fileReadUnknown), ("long", .fileReadUnknown),
            ("garbage", .fileReadUnknown),
        ] {
            let pid = try await engine.pid()
            let error = await #expect(throws: CocoaError.self) { try await engine.said(name, "abcd") }
            #expect(error?.code == code, "\(name): \(String(describing: error))")
            let path = error?.userInfo[NSFilePathErrorKey] as? String
            #expect(path == (code == .featureUnsupported ? nil : "/x.\(name)"))
            if name != "instead" { #expect(isGone(pid), "\(name)") }
        }
        #expect(engine.pool.counts.programs <= 1)
    }

    @Test("that take too long are ended, whether they wait or work", arguments: ["hang", "busy", "half"])
    func slow(_ name: String) async throws {
        let engine = Programs.engine(limit: 1, timeLimit: .seconds(3))
        let pid = try await engine.pid()
        let error = await #expect(throws: CocoaError.self) { try await engine.said(name) }
        #expect(error?.code == .fileReadTooLarge, "\(String(describing: error))")
        #expect(isGone(pid))
    }

    @Test("have as much time as reading takes")
    func slowReading() async throws {
        let engine = Programs.engine(limit: 1, timeLimit: .seconds(8))
        _ = try await engine.pid()
        let source = Self.source("echo") {
            // That it takes longer than the limit is what is tried; and a busy machine must start a program within that.
            try await Task.sleep(for: .milliseconds(8100))
            return Data("abcd".utf8)
        }
        #expect(try await engine.thumbnail(of: source, options: ThumbnailOptions()).data == Data("abcd".utf8))
    }

    @Test("whose file can't be read fail with what reading threw, and go on")
    func reading() async throws {
        let engine = Programs.engine(limit: 1)
        let pid = try await engine.pid()
        let source = Self.source("echo") { throw CocoaError.file(.fileReadNoPermission, path: "/a") }
        let error = await #expect(throws: CocoaError.self) {
            try await engine.thumbnail(of: source, options: ThumbnailOptions())
        }
        #expect(error?.code == .fileReadNoPermission)
        #expect(try await engine.pid() == pid)
    }

    @Test(
        "refuse for reasons that are errors",
        arguments: [
            (RefusalReason.unsupported, CocoaError.Code.featureUnsupported), (.damaged, .fileReadCorruptFile),
            (.tooLarge, .fileReadTooLarge), (.nothingThere, .featureUnsupported), (.unreadable, .fileReadUnknown),
            (.locked, .fileReadNoPermission),
        ]
    )
    func refusals(_ reason: RefusalReason, _ code: CocoaError.Code) async throws {
        let error = await #expect(throws: CocoaError.self) {
            try await Programs.engine().said("refuse-\(reason.rawValue)")
        }
        #expect(error?.code == code && error?.userInfo[NSFilePathErrorKey] as? String == "/x.refuse-\(reason.rawValue)")
    }

    @Test("that somebody ended meanwhile are replaced", arguments: [true, false])
    func gone(_ isKilled: Bool) async throws {
        let engine = Programs.engine(limit: 1)
        if isKilled {
            let pid = try await engine.pid()
            kill(pid, SIGKILL)
        } else {
            _ = try await engine.said("leave")
        }
        #expect(try await engine.pid() > 0)
        #expect(engine.pool.counts.programs == 1)
    }

    @Test("that nobody needs are ended after a while")
    func idle() async throws {
        let engine = Programs.engine(idleTime: .milliseconds(1))
        let pid = try await engine.pid()
        try await until("the program is gone") { isGone(pid) }
        #expect(engine.pool.counts.programs == 0)
        let other = Programs.engine()
        let second = try await other.pid()
        other.endIdle()
        try await until("the second program is gone") { isGone(second) }
    }

    @Test("get no descriptors of ours, no secrets, and no ignored signals")
    func surroundings() async throws {
        let pipe = Pipe()  // its descriptors would be inherited
        _ = fcntl(pipe.fileHandleForReading.fileDescriptor, F_SETFD, 0)
        setenv("FERRY_PASSWORD_OF_A_TEST", "s3cret", 1)
        let lines = Set(try await Programs.engine().said("surroundings").split(separator: "\n").map(String.init))
        #expect(lines.filter { $0.hasPrefix("descriptor") || $0.hasPrefix("ignored") } == [], "\(lines)")
        #expect(!lines.contains("variable FERRY_PASSWORD_OF_A_TEST") && lines.contains("variable PATH"))
        withExtendedLifetime(pipe) {}
    }

    @Test("that are not there give an error that says how to get them")
    func missing() async throws {
        let engine = MediaHelper(settings: .init(program: "/nonexistent/ferry-media"))
        #expect(!engine.isAvailable && Programs.engine().isAvailable)
        let error = try await #require(throws: CocoaError.self) { try await engine.said("echo") }
        #expect(error.code == .featureUnsupported && error.userInfo[NSFilePathErrorKey] == nil)
        let words = error.userInfo[NSLocalizedDescriptionKey] as? String
        #expect(words?.contains("/nonexistent/ferry-media") == true, "\(error)")
        let advice = error.userInfo[NSLocalizedRecoverySuggestionErrorKey] as? String
        #expect(advice?.contains("FERRY_MEDIA_HELPER") == true)
        #expect(engine.pool.counts.programs == 0)
    }
}
