import FerryMediaWire
import FerryTestServers
import Foundation
import SystemPackage
import Testing

/// The program itself, as a process, and what is said to it and by it.
struct HelperProgram {
    /// The outcome of a job.
    enum Answer: Hashable {
        case thumbnail(ThumbnailResult)
        case properties([PropertyEntry])
        case refused(RefusalReason, String)
        /// The program ended instead.
        case ended
    }

    /// The part of a file that it asked for.
    struct Portion: Hashable {
        let offset: Int64
        let length: Int
    }

    private let input: FileDescriptor
    private let output: FileDescriptor
    private var buffer = FrameBuffer()
    private var id: UInt32 = 0
    /// Its process.
    let process: Int32
    /// The portions that were read for the last job.
    private(set) var reads: [Portion] = []

    /// How many bytes were read for the last job.
    var bytesRead: Int { reads.reduce(0) { $0 + $1.length } }

    static var path: String {
        let tests = Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])
        return tests.deletingLastPathComponent().appending(path: "ferry-media").path
    }

    /// Starts a program, has a conversation with it on a thread of its own, and waits for its end.
    static func with<Result: Sendable>(
        _ body: @escaping @Sendable (inout HelperProgram) throws -> Result
    ) async throws -> (result: Result, ending: TestProgram.Ending) {
        // A program that has died is noticed where it is read from.
        signal(SIGPIPE, SIG_IGN)
        let toProgram = try FileDescriptor.pipe()
        let toUs = try FileDescriptor.pipe()
        let started = Swift.Result {
            try TestProgram(path, input: toProgram.readEnd.rawValue, output: toUs.writeEnd.rawValue)
        }
        try toProgram.readEnd.close()
        try toUs.writeEnd.close()
        let running = try started.get()
        let result: Swift.Result<Result, any Error> = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var program = HelperProgram(input: toProgram.writeEnd, output: toUs.readEnd, process: running.id)
                continuation.resume(
                    returning: Swift.Result {
                        defer { program.close() }
                        #expect(try program.next() == .ready(version: WireFormat.version))
                        return try body(&program)
                    }
                )
            }
        }
        // It ends by itself when nobody writes to it any more.
        let ending = await running.ending()
        return (try result.get(), ending)
    }

    private init(input: FileDescriptor, output: FileDescriptor, process: Int32) {
        self.input = input
        self.output = output
        self.process = process
    }

    private func close() {
        try? input.close()
        try? output.close()
    }

    /// Asks for a thumbnail of a file with these contents.
    mutating func thumbnail(
        of file: [UInt8],
        _ change: (inout ThumbnailJob) -> Void = { _ in }
    ) throws -> Answer {
        var job = ThumbnailJob(size: Int64(file.count), width: 32, height: 32, format: .png)
        change(&job)
        return try answer(to: .thumbnail(job), file: file)
    }

    /// Gives it a job, and the bytes of the file as it asks for them.
    ///
    /// - Parameters:
    ///   - job: The job.
    ///   - file: The bytes that are read; there may be fewer than the job says.
    ///   - reading: Returns the answer to a read in place of the bytes; `nil` for the bytes.
    /// - Returns: The outcome of the job.
    /// - Throws: `WireError` for what is no message.
    mutating func answer(
        to job: MediaJob,
        file: [UInt8],
        reading: (UInt32, Portion) -> LibraryMessage? = { _, _ in nil }
    ) throws -> Answer {
        id += 1
        reads = []
        send(.request(id: id, job))
        while let message = try next() {
            switch message {
            case .read(let asked, let offset, let length):
                let portion = Portion(offset: offset, length: length)
                reads.append(portion)
                let start = Int(min(offset, Int64(file.count)))
                let bytes = Array(file[start..<min(file.count, start + length)])
                send(reading(asked, portion) ?? .bytes(id: asked, offset: offset, bytes))
            case .done(id, .thumbnail(let result)): return .thumbnail(result)
            case .done(id, .properties(let entries)): return .properties(entries)
            case .refused(id, let reason, let words): return .refused(reason, words)
            default: throw WireError("an answer to something else")
            }
        }
        return .ended
    }

    /// Says something; where nobody listens any more, that is seen by the next read.
    func send(_ message: LibraryMessage) {
        _ = try? input.writeAll(message.frame)
    }

    /// Waits for what it says; `nil` at its end.
    mutating func next() throws -> ProgramMessage? {
        while true {
            if let frame = try buffer.next() { return try ProgramMessage(frame: frame) }
            let count = try withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { space in
                let count = try output.read(into: space)
                buffer.append(space[..<count])
                return count
            }
            if count == 0 { return nil }
        }
    }

    /// The most memory that it ever had in use, in bytes; `0` if it is gone.
    var peakMemory: Int {
        let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line.flatMap { $0.split(separator: " ").dropFirst().first.flatMap { Int($0) } }.map { $0 << 10 } ?? 0
    }
}
