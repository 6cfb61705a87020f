import FerryCore
import FerryFTP
import FerryTestServers
import Foundation
import NIOCore
import Synchronization

/// An FTP server in this process that answers as it should, except where a test says otherwise.
final class ScriptedFTPServer: Sendable {
    /// The behaviour that a test can change.
    struct Script: Sendable {
        /// The features that FEAT tells, a line each.
        var features = ["UTF8", "MLST type*;size*;modify*;", "SIZE", "MDTM", "MFMT", "REST STREAM", "EPSV"]
        /// The greeting of a connection, from 1.
        var greeting: @Sendable (Int) -> String = { _ in "220 ready" }
        /// Answers instead of the server; `nil` for what the server would say, an empty text for nothing at all.
        var answer: @Sendable (_ command: String) -> String? = { _ in nil }
        /// Sends the data of MLSD, LIST and RETR over the data connection.
        var data: @Sendable (_ command: String, RawConnection) async throws -> Void = { _, _ in }
        /// Returns the reply that ends a transfer; an empty text closes the control connection.
        var ending: @Sendable (_ command: String) -> String = { _ in "226 done" }
        /// Bytes that go out at once; `nil` for all.
        var pieceSize: Int?
        /// Commands of uploads whose data connection is reset after its first bytes.
        var resets: Set<String> = []
        /// Commands after which the connection is closed.
        var closesAfter: Set<String> = []
    }

    private let control: RawServer
    private let data: RawServer
    private let state: Shared

    private final class Shared: Sendable {
        let commands = Mutex<[String]>([])
        let desk = TransferDesk()
        let uploads = Mutex<[String: Data]>([:])
    }

    /// Every command so far, without passwords.
    var commands: [String] { state.commands.withLock { $0 } }

    /// How many logins there were.
    var loginCount: Int { commands.filter { $0.hasPrefix("USER") }.count }

    /// The contents that were uploaded, by the name that was given.
    var uploads: [String: Data] { state.uploads.withLock { $0 } }

    /// The port of data connections.
    var dataPort: Int { data.port }

    private init(control: RawServer, data: RawServer, state: Shared) {
        (self.control, self.data, self.state) = (control, data, state)
    }

    static func start(_ script: Script) async throws -> ScriptedFTPServer {
        let state = Shared()
        let data = try await RawServer.start { connection in
            guard let job = await state.desk.job() else { return }
            await job.run(on: connection)
        }
        let port = data.port
        let control = try await RawServer.start { connection in
            try await talk(connection, script, state, dataPort: port)
        }
        return ScriptedFTPServer(control: control, data: data, state: state)
    }

    func stop() async {
        await state.desk.close()
        await control.stop()
        await data.stop()
    }

    /// A provider of its root.
    func provider(
        path: String = "/",
        clock: any Clock<Duration> = ContinuousClock(),
        changing change: (inout FTPOptions) -> Void = { _ in }
    ) throws -> FTPFileProvider {
        var options = FTPOptions()
        options.timeout = .seconds(120)
        change(&options)
        return try FTPFileProvider(
            baseURL: URL(string: "ftp://127.0.0.1:\(control.port)\(path)") ?? URL(filePath: "/"),
            credential: FileProviderCredential(user: "ferry", secret: .password("s3cret")),
            options: options,
            clock: clock
        )
    }

    private static func talk(
        _ connection: RawConnection,
        _ script: Script,
        _ state: Shared,
        dataPort: Int
    ) async throws {
        func say(_ text: String) async throws {
            let bytes = Array((text.replacing("\n", with: "\r\n") + "\r\n").utf8)
            for start in stride(from: 0, to: bytes.count, by: script.pieceSize ?? bytes.count) {
                let end = min(start + (script.pieceSize ?? bytes.count), bytes.count)
                try await connection.write(ByteBuffer(bytes: bytes[start..<end]))
            }
        }
        let greeting = script.greeting(connection.number)
        try await say(greeting)
        if greeting.hasPrefix("421") { return }
        var unread: [UInt8] = []
        while true {
            guard let end = unread.firstIndex(of: 10) else {
                guard let chunk = try await connection.read() else { return }
                unread += chunk.readableBytesView
                continue
            }
            let command = String(decoding: unread[..<end].filter { $0 != 13 }, as: UTF8.self)
            unread.removeSubrange(...end)
            state.commands.withLock { $0.append(command.hasPrefix("PASS") ? "PASS" : command) }
            let verb = command.prefix { $0 != " " }.uppercased()
            let isTransfer = ["MLSD", "LIST", "RETR", "STOR", "APPE"].contains(verb)
            if let answer = script.answer(command) {
                // The client has connected for the data before it asked: that connection is of no more use.
                if isTransfer, !answer.isEmpty { await state.desk.run { _ in } }
                if !answer.isEmpty { try await say(answer) }
            } else if isTransfer {
                try await say("150 here it comes")
                await state.desk.run { data in
                    guard ["STOR", "APPE"].contains(verb) else { return try await script.data(command, data) }
                    if script.resets.contains(verb) {
                        _ = try await data.read()
                        return try await data.reset()
                    }
                    var bytes = Data()
                    while let chunk = try await data.read() { bytes.append(contentsOf: chunk.readableBytesView) }
                    state.uploads.withLock { $0[String(command.dropFirst(5)), default: Data()] += bytes }
                }
                let ending = script.ending(command)
                if ending.isEmpty { return }
                try await say(ending)
            } else {
                try await say(answer(to: verb, command, script, dataPort: dataPort))
            }
            if verb == "QUIT" || script.closesAfter.contains(verb) { return }
        }
    }

    private static func answer(to verb: String, _ command: String, _ script: Script, dataPort: Int) -> String {
        switch verb {
        case "USER": "331 password"
        case "PASS": "230 welcome"
        case "PWD": "257 \"/\" is it"
        case "FEAT": "211-Features\n" + script.features.map { " \($0)" }.joined(separator: "\n") + "\n211 End"
        case "SYST": "215 UNIX Type: L8"
        case "EPSV": "229 go on (|||\(dataPort)|)"
        case "PASV": "227 go on (127,0,0,1,\(dataPort >> 8),\(dataPort & 255))"
        case "RNFR", "REST": "350 go on"
        case "MLST": "550 No such file or directory"
        case "SIZE": "550 No such file or directory"
        case "MDTM", "MFMT": "213 20261126073501"
        default: "250 done"
        }
    }
}

/// The names on a server that can't rename over a file.
final class ScriptedNames: Sendable {
    private let names: Mutex<Set<String>>
    private let source = Mutex("")

    init(_ names: Set<String>) { self.names = Mutex(names) }

    /// All names now.
    var all: Set<String> { names.withLock { $0 } }

    /// The answer to a command that renames or removes; `nil` for what the server would say.
    func answer(_ command: String) -> String? {
        let name = String(command.dropFirst(5))
        switch command.prefix(4) {
        case "RNFR": source.withLock { $0 = name }
        case "DELE": names.withLock { _ = $0.remove(name) }
        case "RNTO":
            let isDone = names.withLock { names in
                guard !names.contains(name) else { return false }
                names.remove(source.withLock { $0 })
                names.insert(name)
                return true
            }
            if !isDone { return "553 File exists" }
        default: break
        }
        return nil
    }
}

/// Brings the data connections and what is to pass over them together.
private actor TransferDesk {
    /// One transfer.
    final class Job: Sendable {
        let work: @Sendable (RawConnection) async throws -> Void
        let ended: CheckedContinuation<Void, Never>

        init(
            _ work: @escaping @Sendable (RawConnection) async throws -> Void,
            _ ended: CheckedContinuation<Void, Never>
        ) {
            (self.work, self.ended) = (work, ended)
        }

        func run(on connection: RawConnection) async {
            try? await work(connection)
            ended.resume()
        }
    }

    private var jobs: [Job] = []
    private var waiting: [CheckedContinuation<Job?, Never>] = []
    private var isClosed = false

    func run(_ work: @escaping @Sendable (RawConnection) async throws -> Void) async {
        await withCheckedContinuation { continuation in
            if isClosed { return continuation.resume() }
            let job = Job(work, continuation)
            if waiting.isEmpty { jobs.append(job) } else { waiting.removeFirst().resume(returning: job) }
        }
    }

    func job() async -> Job? {
        if isClosed { return nil }
        if !jobs.isEmpty { return jobs.removeFirst() }
        return await withCheckedContinuation { waiting.append($0) }
    }

    func close() {
        isClosed = true
        for job in jobs { job.ended.resume() }
        for continuation in waiting { continuation.resume(returning: nil) }
        (jobs, waiting) = ([], [])
    }
}

/// Runs a server for the time of a test.
func withScript<Result>(
    _ script: ScriptedFTPServer.Script,
    _ body: (ScriptedFTPServer) async throws -> Result
) async throws -> Result {
    let server = try await ScriptedFTPServer.start(script)
    do {
        let result = try await body(server)
        await server.stop()
        return result
    } catch {
        await server.stop()
        throw error
    }
}
