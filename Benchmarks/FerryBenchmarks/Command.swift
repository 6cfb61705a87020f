import Foundation

/// Starts a program and waits for it, with as little as possible in between.
struct Command: Sendable {
    /// GNU time, which tells a program's peak memory and processor time.
    ///
    /// A child of this process would be charged with this process's memory, which it has until it becomes another
    /// program.
    let timeProgram: String?

    /// Where its report and the program's complaints go.
    let scratch: String

    /// A program that failed.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Runs a program with stdin closed and its output thrown away, or written to a file.
    ///
    /// - Parameters:
    ///   - arguments: The program's path, and its arguments.
    ///   - memory: The processes whose peak memory to measure, if any; for one program this adds a millisecond.
    ///   - output: Where stdout goes.
    /// - Returns: Seconds from start to end, and bytes.
    /// - Throws: ``Failure`` if it can't be started or its exit code isn't 0.
    func run(_ arguments: [String], measuring memory: MemoryOf? = nil, output: String = "/dev/null") throws -> Sample {
        let report = scratch + "/time", complaints = scratch + "/stderr"
        var arguments = arguments
        let measuringMemory = memory == .program && timeProgram != nil
        if measuringMemory, let timeProgram {
            arguments = [timeProgram, "--format=%M %U %S", "--output=\(report)", "--"] + arguments
        }
        let clock = ContinuousClock()
        let start = clock.now
        let process = try spawn(arguments, output: output, complaints: complaints)
        let tree = memory == .tree ? TreeMemory(of: process) : nil
        let ending = Result { try wait(for: process, arguments) }
        let duration = clock.now - start
        let treeMemory = tree?.end()
        let status = try ending.get()
        guard status == 0 else {
            let words = (try? String(contentsOfFile: complaints, encoding: .utf8)) ?? ""
            let command = arguments.joined(separator: " ")
            throw Failure(description: "\(command): exit status \(status): \(words.prefix(400))")
        }
        var sample = Sample(value: duration / .seconds(1))
        sample.peakMemory = treeMemory
        if measuringMemory {
            let text = try String(contentsOfFile: report, encoding: .utf8)
            let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
            guard numbers.count == 3 else { throw Failure(description: "\(timeProgram ?? "") says: \(text)") }
            sample.peakMemory = Int64(numbers[0]) * 1024
            sample.processorTime = numbers[1] + numbers[2]
        }
        return sample
    }

    /// Runs a program and returns what it printed.
    func output(_ arguments: [String]) throws -> String {
        let file = scratch + "/stdout"
        _ = try run(arguments, output: file)
        return try String(contentsOfFile: file, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Starts a program with stdin closed.
    ///
    /// - Parameters:
    ///   - arguments: The program's path, and its arguments.
    ///   - output: Where stdout goes.
    ///   - complaints: Where stderr goes.
    /// - Returns: The process, which the caller has to wait for.
    /// - Throws: ``Failure`` if it can't be started.
    func spawn(_ arguments: [String], output: String, complaints: String) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, complaints, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        var pointers = arguments.map { strdup($0) }
        pointers.append(nil)
        defer { for pointer in pointers { free(pointer) } }
        var process: pid_t = 0
        let error = posix_spawnp(&process, arguments[0], &actions, nil, pointers, environ)
        guard error == 0 else { throw Failure(description: "\(arguments[0]): \(String(cString: strerror(error)))") }
        return process
    }

    private func wait(for process: pid_t, _ arguments: [String]) throws -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { throw Failure(description: "\(arguments[0]): lost") }
        }
        return status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
    }
}
