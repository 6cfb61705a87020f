import Foundation
import Testing

@testable import FerryProcess

@Suite("Programs that run as children of ours")
struct ChildProcessTests {
    private static func shell(_ script: String) -> ChildProgram {
        ChildProgram(path: "/bin/sh", arguments: ["-c", script], environment: ["PATH": "/usr/bin:/bin"])
    }

    private static func sleeper(_ isolation: ChildProgram.Isolation = .group) throws -> ChildProcess {
        try ChildProcess(ChildProgram(path: "/bin/sleep", arguments: ["600"], environment: [:], isolation: isolation))
    }

    /// Runs a program to its end.
    private static func output(of program: ChildProgram) async throws -> String {
        let line = try ChildLine.pipe(isReading: false)
        let process = try line.lend { try ChildProcess(program, output: $0) }
        let text = try FileHandle(fileDescriptor: line.ours, closeOnDealloc: true).readToEnd() ?? Data()
        #expect(await process.ending(within: .seconds(300)) == .exited(0))
        return String(decoding: text, as: UTF8.self)
    }

    // MARK: - Ending

    @Test("a program that ends by itself has an exit code")
    func exits() async throws {
        let process = try ChildProcess(Self.shell("exit 7"))
        let ending = await process.ending(within: .seconds(300))
        #expect(ending == .exited(7))
        #expect(ending.exitCode == 7)
    }

    @Test("a program that a signal ends has that signal, and the exit code that a shell would show")
    func killed() async throws {
        let process = try ChildProcess(Self.shell("kill -KILL $$"))
        let ending = await process.ending(within: .seconds(300))
        #expect(ending == .signalled(SIGKILL))
        #expect(ending.exitCode == 137)
    }

    @Test("terminating sends SIGTERM")
    func terminating() async throws {
        let process = try Self.sleeper()
        process.terminate()
        #expect(await process.ending() == .signalled(SIGTERM))
    }

    @Test("a program that ignores SIGTERM is killed")
    func stubborn() async throws {
        let line = try ChildLine.pipe(isReading: false)
        let program = Self.shell("trap '' TERM; echo ready; exec sleep 600")
        let process = try line.lend { try ChildProcess(program, output: $0) }
        let ready = try FileHandle(fileDescriptor: line.ours, closeOnDealloc: true).read(upToCount: 6)
        #expect(ready == Data("ready\n".utf8))
        process.terminate()
        #expect(await process.ending(within: .seconds(300)) == .signalled(SIGKILL))
    }

    @Test("a later call shortens the time that a program has")
    func shortened() async throws {
        let process = try Self.sleeper()
        process.end(within: .seconds(3600))
        #expect(await process.ending(within: .zero) == .signalled(SIGKILL))
    }

    @Test("all who wait get the same answer, and nothing is left to wait for")
    func once() async throws {
        let process = try Self.sleeper()
        async let first = process.ending(within: .zero)
        async let second = process.ending(within: .zero)
        let answers = await [first, second]
        #expect(answers == [.signalled(SIGKILL), .signalled(SIGKILL)])
        #expect(await process.ending() == .signalled(SIGKILL))
        #expect(waitpid(process.pid, nil, WNOHANG) == -1)
    }

    @Test("a program that is waited for in a cancelled task is gone afterwards, too")
    func cancelled() async throws {
        let process = try Self.sleeper()
        let ending = await withTaskGroup(of: ChildProcess.Ending.self) { group in
            group.cancelAll()
            group.addTask { await process.ending(within: .zero) }
            return await group.next()
        }
        #expect(ending == .signalled(SIGKILL))
    }

    @Test("a program that is missing is an error that says so")
    func missing() {
        let error = #expect(throws: POSIXError.self) {
            try ChildProcess(ChildProgram(path: "/no/such/program", environment: [:]))
        }
        #expect(error?.code == .ENOENT)
    }

    // MARK: - Starting

    @Test("a program has the variables that it is given, and no other")
    func environment() async throws {
        let program = ChildProgram(path: "/usr/bin/env", environment: ["FERRY": "a b=c"])
        #expect(try await Self.output(of: program) == "FERRY=a b=c\n")
    }

    @Test("a program has the arguments that it is given, unchanged")
    func arguments() async throws {
        let program = ChildProgram(path: "/usr/bin/printf", arguments: ["%s|", "a b", "", "ü$x"], environment: [:])
        #expect(try await Self.output(of: program) == "a b||ü$x|")
    }

    @Test("a program runs in the folder that it is given")
    func folder() async throws {
        let program = ChildProgram(path: "/bin/sh", arguments: ["-c", "pwd"], environment: [:], folder: "/usr")
        #expect(try await Self.output(of: program) == "/usr\n")
    }

    @Test("a program without descriptors reads nothing, and its words are discarded")
    func nothing() async throws {
        let process = try ChildProcess(Self.shell("cat && echo said && echo said >&2"))
        #expect(await process.ending(within: .seconds(300)) == .exited(0))
    }

    @Test("a signal that is ignored here is not ignored there")
    func signals() async throws {
        let before = signal(SIGUSR2, SIG_IGN)
        defer { signal(SIGUSR2, before) }
        let process = try ChildProcess(Self.shell("kill -USR2 $$; exit 0"))
        #expect(await process.ending(within: .seconds(300)) == .signalled(SIGUSR2))
    }

    @Test("a program shares our process group and our session only as it is described")
    func isolation() async throws {
        let shared = try Self.sleeper(.none)
        #expect(getpgid(shared.pid) == getpgid(0))
        let grouped = try Self.sleeper(.group)
        #expect(getpgid(grouped.pid) == grouped.pid)
        #expect(getsid(grouped.pid) == getsid(0))
        let alone = try Self.sleeper(.session)
        #expect(getsid(alone.pid) == alone.pid)
        for process in [shared, grouped, alone] { _ = await process.ending(within: .zero) }
    }

    #if os(Linux)
    @Test("a program gets no other descriptors of ours")
    func descriptors() async throws {
        let inherited = open("/dev/null", O_RDONLY)
        try #require(inherited > STDERR_FILENO)
        defer { close(inherited) }
        let program = ChildProgram(path: "/bin/ls", arguments: ["/proc/self/fd"], environment: [:])
        // The last one is the folder that it lists.
        #expect(try await Self.output(of: program) == "0\n1\n2\n3\n")
    }
    #endif

    // MARK: - Finding

    @Test("a name is looked for in the PATH that counts, and a path is taken as it is")
    func find() {
        #expect(ChildProgram.find("sh", environment: ["PATH": "/no/such/folder:/bin"]) == "/bin/sh")
        #expect(ChildProgram.find("sh", environment: ["PATH": "/no/such/folder"]) == nil)
        #expect(ChildProgram.find("/bin/sh", environment: ["PATH": ""]) == "/bin/sh")
        #expect(ChildProgram.find("/no/such/program", environment: [:]) == nil)
        #expect(ChildProgram.find("sh", environment: [:])?.hasSuffix("/sh") == true)
        #expect(ChildProgram.find("sh", searchPath: "") == nil)
    }

    @Test("a program is a regular file that can be executed, in a folder with an absolute path")
    func findStrictly() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ferry-find-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        // A folder, a file that can't be executed, and a program.
        let inFolder = folder.appending(path: "1/tool")
        let inText = folder.appending(path: "2/tool")
        let inProgram = folder.appending(path: "3/tool")
        try FileManager.default.createDirectory(at: inFolder, withIntermediateDirectories: true)
        for (file, permissions) in [(inText, 0o644), (inProgram, 0o755)] {
            let parent = file.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
            try Data().write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: file.path)
        }
        let path = ["1", "2", "3"].map { folder.appending(path: $0).path }.joined(separator: ":")
        #expect(ChildProgram.find("tool", environment: ["PATH": path]) == inProgram.path)
        #expect(ChildProgram.find(inFolder.path, environment: [:]) == nil)
        #expect(ChildProgram.find(inText.path, environment: [:]) == nil)
        #expect(ChildProgram.find(inProgram.path, environment: [:]) == inProgram.path)

        // The same folder, as it is reached from here.
        let here = FileManager.default.currentDirectoryPath
        let up = Array(repeating: "..", count: here.split(separator: "/").count).joined(separator: "/")
        let relative = (up.isEmpty ? "." : up) + inProgram.deletingLastPathComponent().path
        #expect(access("\(relative)/tool", X_OK) == 0)
        #expect(ChildProgram.find("tool", environment: ["PATH": relative]) == nil)
        #expect(ChildProgram.find("\(relative)/tool", environment: [:]) != nil)
    }
}
