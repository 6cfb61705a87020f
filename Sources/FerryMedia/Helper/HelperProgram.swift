#if os(Linux) || os(macOS)
import Dispatch
import FerryCore
import FerryMediaWire
import FerryProcess
import Foundation
import Synchronization

/// One run of `ferry-media`: it does one job at a time, and is told what is in the file as it asks.
final class HelperProgram: Sendable {
    /// Why a run is of no use any more.
    enum Failure: Error {
        /// It ended before a job was done.
        case ended(ChildProcess.Ending)
        /// It had ended before the job came.
        case gone
        /// It took too long.
        case tooSlow
        /// It said what makes no sense.
        case confused(String)
    }

    private let process: ChildProcess
    private let line: HelperLine
    /// Where calls block: one at a time.
    private let queue = DispatchQueue(label: "ferry.media")
    private let buffer = Mutex(FrameBuffer())
    private let lastJob = Atomic<UInt32>(0)

    /// Bytes that are taken from the socket at once.
    private static let portion = 256 << 10

    private init(_ path: String, _ environment: [String: String]) throws {
        let socket = try ChildLine.socket()
        let program = ChildProgram(path: path, environment: environment)
        process = try socket.lend { try ChildProcess(program, input: $0, output: $0) }
        line = HelperLine(socket.ours)
    }

    /// The number by which the system knows it.
    var pid: pid_t { process.pid }

    /// Starts the program, and waits until it is ready.
    ///
    /// - Parameters:
    ///   - path: The program.
    ///   - environment: All of its variables.
    ///   - limit: How long it may take.
    /// - Returns: A run that waits for jobs.
    /// - Throws: `POSIXError` if it can't be started, ``Failure``; `CancellationError`.
    static func start(_ path: String, _ environment: [String: String], within limit: Duration) async throws
        -> HelperProgram
    {
        let program = try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try HelperProgram(path, environment) })
            }
        }
        do {
            guard case .ready(let version) = try await program.exchange(nil, within: limit).answer else {
                throw Failure.confused("it did not say that it is ready")
            }
            guard version == WireFormat.version else {
                throw Failure.confused("it is of version \(version), and \(WireFormat.version) is needed")
            }
        } catch {
            throw await program.end(after: error)
        }
        return program
    }

    /// Has a job done.
    ///
    /// - Parameters:
    ///   - job: The job.
    ///   - reader: Reads the file.
    ///   - limit: How long the program may take; what reading takes does not count.
    /// - Returns: The result, or the reason why there is none.
    /// - Throws: Any error that reading throws, after which the program can do the next job; ``Failure`` and
    ///   `CancellationError`, after which it can't.
    func perform(_ job: MediaJob, _ reader: SourceReader, within limit: Duration) async throws -> Answer {
        let id = lastJob.add(1, ordering: .relaxed).newValue
        var left = limit
        var message = LibraryMessage.request(id: id, job)
        var unread: (any Error)?
        var isFirst = true
        while true {
            let answer: ProgramMessage
            let taken: Duration
            do {
                (answer, taken) = try await exchange(message, within: left, endsWithTask: unread == nil)
            } catch HelperLine.Failure.closed where isFirst && id > 1 && !Task.isCancelled {
                throw Failure.gone
            }
            isFirst = false
            left -= taken
            switch answer {
            case .read(id, let offset, let length):
                guard unread == nil else {
                    message = .failed(id: id)
                    continue
                }
                do {
                    message = .bytes(id: id, offset: offset, try await reader.read(offset, length))
                } catch {
                    unread = error
                    message = .failed(id: id)
                }
            // A result that was made without all of the file is worth nothing.
            case .done(id, _) where unread != nil, .refused(id, _, _) where unread != nil:
                return .unread(unread ?? CancellationError())
            case .done(id, let result): return .done(result)
            case .refused(id, let reason, let words): return .refused(reason, words)
            default: throw Failure.confused("it answered what was not asked")
            }
        }
    }

    /// How a job went, after which the program can do the next one.
    enum Answer {
        case done(MediaResult)
        case refused(RefusalReason, String)
        /// The file could not be read.
        case unread(any Error)
    }

    /// Ends the program for good.
    ///
    /// - Parameter error: The error of the exchange with it.
    /// - Returns: The same error, or how the program ended, if it did so by itself.
    func end(after error: any Error) async -> any Error {
        let isLeaving = error as? HelperLine.Failure == .closed && !Task.isCancelled
        line.end()
        // A program that has closed its side is likely to end by itself: then it may say how.
        let ending = await process.ending(within: isLeaving ? .seconds(1) : .zero)
        switch error {
        case _ where Task.isCancelled: return CancellationError()
        case HelperLine.Failure.closed: return Failure.ended(ending)
        case HelperLine.Failure.timedOut: return Failure.tooSlow
        case let error as WireError: return Failure.confused(error.description)
        default: return error
        }
    }

    /// Ends the program for good, without waiting for it.
    func end() {
        line.end()
        process.end(within: .zero)
    }

    /// Says something, and waits for what is said next.
    ///
    /// - Parameters:
    ///   - message: The message to send, if any.
    ///   - limit: How long to wait.
    ///   - endsWithTask: `true` if a cancelled task ends the talk at once.
    /// - Returns: The program's message, and how much of its time it has taken.
    /// - Throws: `HelperLine.Failure`, `WireError`.
    private func exchange(_ message: LibraryMessage?, within limit: Duration, endsWithTask: Bool = true) async throws
        -> (answer: ProgramMessage, taken: Duration)
    {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                queue.async { continuation.resume(with: Result { try self.talk(message, within: limit) }) }
            }
        } onCancel: {
            if endsWithTask { line.hangUp() }
        }
    }

    private func talk(_ message: LibraryMessage?, within limit: Duration) throws -> (ProgramMessage, Duration) {
        var nextLook = ContinuousClock.now + limit
        var deadline = ProgramDeadline(limit: limit, activity: .init(of: pid), start: .now)
        if let message { try line.write(message.frame, until: nextLook) }
        while true {
            if let frame = try buffer.withLock({ try $0.next() }) {
                return (try ProgramMessage(frame: frame), deadline.taken(.init(of: pid), at: .now))
            }
            do {
                let bytes = try line.read(upTo: Self.portion, until: nextLook)
                buffer.withLock { $0.append(bytes) }
            } catch HelperLine.Failure.timedOut where deadline.allowsMore(.init(of: pid), at: .now) {
                nextLook = .now + max(.milliseconds(200), min(limit / 4, .seconds(1)))
            }
        }
    }
}
#endif
