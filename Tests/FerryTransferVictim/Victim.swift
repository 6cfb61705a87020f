import FerryCore
import FerryLocal
import FerryTestKit
import FerryTransfer
import FerryWebDAV
import Foundation

/// Runs one transfer with a journal, and kills itself on the way, as a test wants it.
///
///     ferry-transfer-victim SOURCE TARGET JOURNAL PARTS FILES BYTES CALLS
///
/// Source and target are paths or `http:` URLs of folders, with user and password in `VICTIM_LOGIN`. So many PARTS of a
/// file and so many FILES are under way at the same time. It dies after so many BYTES were read from the source, or before
/// the call of that number to the target; 0 is never. Between two paths, where bytes don't pass here, it dies when its
/// progress is so many BYTES, and adds a line to the file `VICTIM_WRITTEN`: how many bytes this process has written anywhere.
/// It prints the bytes that were moved when it comes to its end.
@main
struct Victim {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 8, let parts = Int(arguments[4]), let files = Int(arguments[5]),
            let bytes = Int64(arguments[6]), let calls = Int(arguments[7])
        else {
            print("usage: SOURCE TARGET JOURNAL PARTS FILES BYTES CALLS")
            exit(2)
        }
        var options = TransferOptions()
        options.partedSize = 256 << 10
        options.partSize = 64 << 10
        options.partsAtOnce = parts
        options.concurrency = files
        let journal = try await TransferJournal.open(at: URL(filePath: arguments[3]))
        let report: TransferReport
        switch (isRemote(arguments[1]), isRemote(arguments[2])) {
        case (true, true):
            report = try await run(remote(arguments[1]), remote(arguments[2]), journal, options, bytes, calls)
        case (true, false):
            report = try await run(remote(arguments[1]), local(arguments[2]), journal, options, bytes, calls)
        case (false, true):
            report = try await run(local(arguments[1]), remote(arguments[2]), journal, options, bytes, calls)
        case (false, false):
            let transfer = try Transfer(
                from: TransferPlace(local("/"), ItemPath(parsing: arguments[1])),
                to: TransferPlace(local("/"), ItemPath(parsing: arguments[2])),
                options: options
            )
            let progress = AlarmedProgress(beyond: bytes > 0 ? bytes : .max) { _ in
                noteWritten()
                die()
            }
            report = try await transfer.run(journal: journal, reporting: progress)
            noteWritten()
        }
        for line in report.lines { FileHandle.standardError.write(Data((line + "\n").utf8)) }
        if let failure = report.journalFailure { FileHandle.standardError.write(Data("\(failure)\n".utf8)) }
        print(report.bytes)
        exit(report.isComplete && report.journalFailure == nil ? 0 : 1)
    }

    /// The kernel counts what all threads have written, by whatever call (proc(5)).
    private static func noteWritten() {
        guard let path = ProcessInfo.processInfo.environment["VICTIM_WRITTEN"],
            let counts = FileManager.default.contents(atPath: "/proc/self/io"),
            let line = String(decoding: counts, as: UTF8.self).split(separator: "\n")
                .first(where: { $0.hasPrefix("wchar:") }),
            let file = FileHandle(forWritingAtPath: path)
        else { return }
        file.seekToEndOfFile()
        file.write(Data("\(line.drop { !$0.isNumber })\n".utf8))
    }

    private static func isRemote(_ place: String) -> Bool { place.hasPrefix("http:") }

    private static func local(_ path: String) -> LocalFileProvider {
        LocalFileProvider(baseURL: URL(filePath: path, directoryHint: .isDirectory))
    }

    private static func remote(_ address: String) throws -> WebDAVFileProvider {
        let login = (ProcessInfo.processInfo.environment["VICTIM_LOGIN"] ?? "").split(separator: ":", maxSplits: 1)
        guard let url = URL(string: address), login.count == 2 else { throw URLError(.badURL) }
        return try WebDAVFileProvider(
            baseURL: url,
            credential: FileProviderCredential(user: String(login[0]), secret: .password(String(login[1])))
        )
    }

    private static func run<Source, Target>(
        _ source: Source,
        _ target: Target,
        _ journal: TransferJournal,
        _ options: TransferOptions,
        _ bytes: Int64,
        _ calls: Int
    ) async throws -> TransferReport
    where
        Source: FileProvider & FileProviderReadWriteProgressive,
        Target: FileProvider & FileProviderReadWriteProgressive
    {
        let death = FaultPlan(
            calls > 0 ? [FaultPlan.Rule(on: .call(calls), fault: .meanwhile { die() })] : []
        )
        let transfer = try Transfer(
            from: TransferPlace(DyingSource(source, dyingAfter: bytes > 0 ? bytes : .max), "/"),
            to: TransferPlace(FaultInjectingFileProvider(target, plan: death), "/"),
            options: options
        )
        return try await transfer.run(journal: journal)
    }
}
