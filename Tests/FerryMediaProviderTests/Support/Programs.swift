import FerryCore
import Foundation
import Testing

@testable import FerryMedia

/// The programs that were built beside the tests.
enum Programs {
    private static let folder: URL = {
        let tests = Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])
        return tests.deletingLastPathComponent()
    }()

    /// The stand-in, which does as a file's name says.
    static let standIn = folder.appending(path: "FerryMediaStandIn").path

    /// The program that decodes.
    static let media = folder.appending(path: "ferry-media").path

    /// An engine with the stand-in.
    static func engine(
        limit: Int = 4,
        timeLimit: Duration = .seconds(300),
        idleTime: Duration = .seconds(300)
    ) -> MediaHelper {
        MediaHelper(
            settings: .init(program: standIn, limit: limit, timeLimit: timeLimit, idleTime: idleTime)
        )
    }

    /// A generator with the program itself; it may take long, since others test meanwhile.
    static let generator = MediaGenerator(
        engine: MediaHelper(settings: .init(program: media, limit: 2, timeLimit: .seconds(120), idleTime: .seconds(2)))
    )
}

extension MediaHelper {
    /// Returns what the stand-in answers, as text.
    func said(_ name: String, _ contents: String = "") async throws -> String {
        let thumbnail = try await thumbnail(
            of: MediaSource(Data(contents.utf8), named: "x.\(name)"),
            options: ThumbnailOptions()
        )
        return String(decoding: thumbnail.data, as: UTF8.self)
    }

    /// The number of the process that does a job.
    func pid() async throws -> pid_t {
        try #require(pid_t(try await said("pid")))
    }
}

/// Returns whether a process is gone, and was waited for.
func isGone(_ pid: pid_t) -> Bool {
    kill(pid, 0) == -1 && errno == ESRCH
}
