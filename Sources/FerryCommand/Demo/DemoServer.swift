import FerryCore
import FerryProcess
import FerryWebDAV
import Foundation

/// An Apache with WebDAV on this machine, for as long as the demo needs it.
///
/// A shell that reads from us keeps it: when we end, however that comes, the shell reads no more and ends Apache.
struct DemoServer {
    /// The provider for the folder that it serves: empty at first, and open to everybody on this machine.
    let files: WebDAVFileProvider

    /// Where that is.
    let url: URL

    private let shell: Shell

    /// Starts it.
    ///
    /// - Parameters:
    ///   - folder: An empty folder of our own.
    ///   - environment: `PATH` says where to look for Apache.
    /// - Returns: A server that answers; `nil` where there is no Apache, or it doesn't start within 15 s.
    /// - Throws: `CancellationError`; what keeps its files from being made.
    static func start(in folder: ItemPath, environment: [String: String]) async throws -> DemoServer? {
        guard let apache = program(environment), !folder.string.contains(where: { "\"\\$\n".contains($0) }) else {
            return nil
        }
        let port = try await BlockingWork.run { try prepare(folder) }
        guard let port, let url = URL(string: "http://127.0.0.1:\(port)/") else { return nil }
        guard let shell = Shell(apache, ["-f", folder.appending("apache.conf").string, "-DFOREGROUND"]) else {
            return nil
        }
        do {
            let server = DemoServer(
                files: try WebDAVFileProvider(baseURL: url, credential: nil),
                url: url,
                shell: shell
            )
            if try await server.isReady(folder) { return server }
        } catch {
            await shell.end()
            throw error
        }
        await shell.end()
        return nil
    }

    /// Ends it, and waits until it is gone.
    func stop() async {
        await shell.end()
    }

    /// Waits until it listens, which it does before it writes down its number, and asks for its files.
    private func isReady(_ folder: ItemPath) async throws -> Bool {
        let sign = folder.appending("var").appending("apache.pid").string
        let clock = ContinuousClock()
        let limit = clock.now + .seconds(15)
        while access(sign, F_OK) != 0 {
            guard clock.now < limit else { return false }
            try await clock.sleep(for: .milliseconds(10))
        }
        do {
            return try await files.contentsOfDirectory(path: .root).isEmpty
        } catch {
            try Task.checkCancellation()
            return false
        }
    }
}

// MARK: - Requirements

extension DemoServer {
    private static let modules = "/usr/lib/apache2/modules"

    private static func program(_ environment: [String: String]) -> String? {
        guard access("\(modules)/mod_dav_fs.so", R_OK) == 0 else { return nil }
        return ChildProgram.find("apache2", searchPath: environment["PATH"] ?? "")
            ?? ["/usr/sbin/apache2", "/usr/sbin/httpd"].first(where: ChildProgram.isProgram)
    }

    /// Makes its folders and its configuration.
    ///
    /// - Returns: The port that it will listen on; `nil` if it can't be run here.
    private static func prepare(_ folder: ItemPath) throws -> UInt16? {
        let top = folder.string
        var owner = ""
        for name in ["www", "var"] {
            try FileManager.default.createDirectory(atPath: "\(top)/\(name)", withIntermediateDirectories: true)
        }
        // It serves nobody as root.
        if geteuid() == 0 {
            guard let user = getpwnam("www-data")?.pointee else { return nil }
            owner = "User www-data\nGroup www-data"
            for name in ["www", "var"] where chown("\(top)/\(name)", user.pw_uid, user.pw_gid) != 0 { return nil }
            for path in [top, folder.parent.string] where chmod(path, 0o711) != 0 { return nil }
        }
        guard let port = freePort() else { return nil }
        let loaded = ["mpm_event", "authn_core", "authz_core", "dav", "dav_fs"]
            .map { "LoadModule \($0)_module \(modules)/mod_\($0).so" }
        let text = """
            \(loaded.joined(separator: "\n"))
            ServerRoot "\(top)"
            ServerName localhost
            PidFile "\(top)/var/apache.pid"
            ErrorLog "\(top)/var/apache.log"
            Mutex sem default
            DavLockDB "\(top)/var/DavLock"
            Listen 127.0.0.1:\(port)
            LimitRequestBody 0
            \(owner)
            DocumentRoot "\(top)/www"
            <Directory "\(top)/www">
                Dav On
                Require all granted
            </Directory>

            """
        try Data(text.utf8).write(to: URL(filePath: "\(top)/apache.conf"))
        return port
    }

    /// A port of 127.0.0.1 that nobody listens on now.
    private static func freePort() -> UInt16? {
        #if canImport(Darwin)
        let kind = SOCK_STREAM
        #else
        let kind = Int32(SOCK_STREAM.rawValue)
        #endif
        let socket = socket(AF_INET, kind, 0)
        guard socket >= 0 else { return nil }
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        return withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { bare in
                bind(socket, bare, length) == 0 && getsockname(socket, bare, &length) == 0
            } ? UInt16(bigEndian: address.pointee.sin_port) : nil
        }
    }
}

// MARK: - The shell

/// A shell that runs one program until it is told to end it, or we are gone.
private struct Shell {
    private let process: ChildProcess
    /// It reads from here.
    private let line: CInt

    /// A program that ends its whole group leaves the shell, which waits for it.
    private static let script = #"trap '' TERM; "$0" "$@" & read -r _; kill $!; wait $!"#

    /// Starts it; `nil` if that can't be done.
    init?(_ program: String, _ arguments: [String]) {
        let words = ["-c", Self.script, program] + arguments
        let variables = ProcessInfo.processInfo.environment
        // In a group of its own, since Apache signals all of it.
        let shell = ChildProgram(path: "/bin/sh", arguments: words, environment: variables, isolation: .group)
        guard let pipe = try? ChildLine.pipe(isReading: true),
            let process = try? pipe.lend({ try ChildProcess(shell, input: $0) })
        else { return nil }
        self.process = process
        line = pipe.ours
    }

    /// Has the program ended, and waits for that.
    func end() async {
        close(line)
        // Much longer than the program needs: a shell that is killed leaves it behind.
        _ = await process.ending(within: .seconds(3600))
    }
}
