import FerryProcess
public import Foundation

/// A program that a test runs as a process of its own.
///
/// ```swift
/// let result = try await TestProgram.run("curl", ["--version"])
/// #expect(result.ending.isSuccess, "\(result.errors)")
/// ```
public struct TestProgram: Sendable {
    /// How a program ended.
    public enum Ending: Sendable, Hashable {
        /// By itself, with this code.
        case exited(Int32)
        /// By this signal.
        case signaled(Int32)

        /// Returns `true` if it ended by itself, with code 0.
        public var isSuccess: Bool { self == .exited(0) }
    }

    /// A program that has ended, and all that it wrote.
    public struct Outcome: Sendable {
        /// How it ended.
        public let ending: Ending
        /// The bytes of its standard output.
        public let data: Data
        /// The text of its standard error.
        public let errors: String

        /// Its standard output as text.
        public var output: String { String(decoding: data, as: UTF8.self) }
    }

    /// Its process.
    public let id: Int32

    /// Starts a program, which somebody has to wait for: ``ending()``.
    ///
    /// It gets no other descriptors of this process, and its signals are neither blocked nor ignored.
    ///
    /// - Parameters:
    ///   - program: Its path, or a name that is looked for in `PATH`.
    ///   - arguments: The arguments that follow its name.
    ///   - environment: All of its variables; by default those of this process.
    ///   - workingDirectory: The path of the folder it runs in; by default that of this process.
    ///   - input: The descriptor that it reads from, which stays open here; by default it reads nothing.
    ///   - output: The descriptor that it writes to, which stays open here; by default that is discarded.
    ///   - errors: The descriptor of its standard error, which stays open here; by default that is discarded.
    /// - Throws: `POSIXError` if it can't be started.
    public init(
        _ program: String,
        _ arguments: [String] = [],
        environment: [String: String]? = nil,
        workingDirectory: String? = nil,
        input: Int32? = nil,
        output: Int32? = nil,
        errors: Int32? = nil
    ) throws {
        let variables = environment ?? ProcessInfo.processInfo.environment
        guard let path = ChildProgram.find(program, environment: ProcessInfo.processInfo.environment) else {
            throw POSIXError(.ENOENT)
        }
        let child = ChildProgram(
            path: path,
            arguments: arguments,
            environment: variables,
            folder: workingDirectory,
            isolation: .none
        )
        id = try ChildProcess(child, input: input, output: output, errors: errors).pid
    }

    /// Waits until the program has ended; once.
    ///
    /// - Returns: How it ended.
    public func ending() async -> Ending {
        // Not by `ChildProcess.ending(within:)`: that kills after a time and asks again and again until then, and
        // servers run as long as the tests.
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [id] in
                var status: Int32 = 0
                while waitpid(id, &status, 0) == -1, errno == EINTR {}
                let signal = status & 0x7F
                continuation.resume(returning: signal == 0 ? .exited(status >> 8 & 0xFF) : .signaled(signal))
            }
        }
    }

    /// Runs a program to its end; it is killed when the task is cancelled.
    ///
    /// - Parameters:
    ///   - program: Its path, or a name that is looked for in `PATH`.
    ///   - arguments: The arguments that follow its name.
    ///   - environment: All of its variables; by default those of this process.
    ///   - workingDirectory: The path of the folder it runs in; by default that of this process.
    ///   - input: The bytes that it reads.
    /// - Returns: How it ended, and what it wrote.
    /// - Throws: `POSIXError` if it can't be started.
    public static func run(
        _ program: String,
        _ arguments: [String] = [],
        environment: [String: String]? = nil,
        workingDirectory: String? = nil,
        input: Data = Data()
    ) async throws -> Outcome {
        // A file: a program that doesn't read all of it ends nobody who writes.
        let reading = try ScratchFile(input)
        let (output, errors) = (try OutputPipe(), try OutputPipe())
        let started = Result {
            try TestProgram(
                program,
                arguments,
                environment: environment,
                workingDirectory: workingDirectory,
                input: reading.descriptor,
                output: output.descriptor,
                errors: errors.descriptor
            )
        }
        output.closeWriteEnd()
        errors.closeWriteEnd()
        async let written = output.readToEnd()
        async let words = errors.readToEnd()
        let ending: Result<Ending, any Error>
        switch started {
        case .success(let running):
            let ended = await withTaskCancellationHandler {
                await running.ending()
            } onCancel: {
                kill(running.id, SIGKILL)
            }
            ending = .success(ended)
        case .failure(let error): ending = .failure(error)
        }
        // Read to their end in any case, and closed by that.
        let (data, text) = await (written, String(decoding: words, as: UTF8.self))
        return Outcome(ending: try ending.get(), data: data, errors: text)
    }
}
