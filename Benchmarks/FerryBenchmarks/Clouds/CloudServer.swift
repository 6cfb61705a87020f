import Foundation
import Synchronization

/// The program `ferry-cloudlab` for one benchmark, with remotes of ferry and rclone that lead to it.
///
/// Both reach it in the same way: by TLS, under the hosts of the real service, through its proxy.
final class CloudServer: Sendable {
    private struct State {
        var process: pid_t?
        /// The variables that were changed for the programs, with the values from before.
        var changed: [String: String?] = [:]
    }

    /// The path of `ferry-cloudlab`.
    private let program: String
    private let ferry: String
    private let service: CloudService
    /// The delay before each answer, in milliseconds.
    private let delay: Int
    /// A folder of its own, for the journal, the certificate, and the programs' settings.
    private let folder: String
    private let state = Mutex(State())

    init(program: String, ferry: String, service: CloudService, delay: Int, folder: String) {
        self.program = program
        self.ferry = ferry
        self.service = service
        self.delay = delay
        self.folder = folder
    }

    private var journal: String { folder + "/journal" }
    private var certificate: String { folder + "/certificate.pem" }

    /// Starts it with empty storages, in place of one that runs already, and logs in.
    ///
    /// From now on the environment of this process, which programs inherit, leads to it.
    ///
    /// - Parameter command: Starts the programs that log in.
    /// - Throws: ``Command/Failure`` if it doesn't start, or doesn't emulate the service.
    func start(_ command: Command) throws {
        stop()
        try? FileManager.default.removeItem(atPath: folder)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let (ready, complaints) = (folder + "/ready", folder + "/complaints")
        let process = try command.spawn(
            [
                program, "--page-size", "1000", "--latency", String(delay), "--journal", journal,
                "--proxy-certificate", certificate,
            ],
            output: ready,
            complaints: complaints
        )
        state.withLock { $0.process = process }
        let line = try line(of: ready, complaints, process)
        let addresses = try JSONDecoder().decode(CloudAddresses.self, from: line)
        guard let account = addresses.account(service) else {
            throw Command.Failure(description: "\(program) doesn't emulate \(service.title)")
        }
        try Data(rcloneConfiguration(account).utf8).write(to: URL(filePath: folder + "/rclone.conf"))
        setEnvironment(proxy: addresses.proxy)
        _ = try command.run([
            ferry, "remote", "add", service.rawValue, "--type", service.rawValue, "--client-id", "benchmark",
            "--option",
            "certificate-authority=\(certificate)",
        ])
        let logIn = #"printf '%s\n' "$2" | "$0" remote login "$1" --token-stdin"#
        _ = try command.run(["sh", "-c", logIn, ferry, service.rawValue, account.accessToken])
    }

    /// Ends it, if it runs: it keeps nothing that would have to be put in order.
    func stop() {
        let (process, changed) = state.withLock { state in
            defer { state = State() }
            return (state.process, state.changed)
        }
        for (name, value) in changed { Self.set(name, value) }
        guard let process else { return }
        kill(process, SIGKILL)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
    }

    /// Adds the requests that it gets meanwhile to a sample.
    ///
    /// - Parameter work: The work; all of its programs have ended when it returns.
    /// - Returns: The sample of the work, with requests and bytes.
    /// - Throws: The error of the work; ``Command/Failure`` if a program wanted to go to a host that isn't emulated.
    func measure(_ work: () throws -> Sample) throws -> Sample {
        let file = try FileHandle(forReadingFrom: URL(filePath: journal))
        defer { try? file.close() }
        try file.seekToEnd()
        var sample = try work()
        let traffic = try CloudTraffic(journal: try file.readToEnd() ?? Data())
        guard traffic.refusedHosts.isEmpty else {
            let hosts = traffic.refusedHosts.sorted().joined(separator: ", ")
            throw Command.Failure(description: "not emulated, but asked for: \(hosts)")
        }
        sample.requests = traffic.requests
        sample.bodyBytes = traffic.bodyBytes
        return sample
    }
}

// MARK: - Settings

extension CloudServer {
    private func rcloneConfiguration(_ account: CloudAddresses.Account) -> String {
        let token = [
            #""access_token":"\#(account.accessToken)""#, #""token_type":"bearer""#,
            #""refresh_token":"\#(account.refreshToken)""#, #""expiry":"2099-01-01T00:00:00Z""#,
        ]
        var lines = [
            "[\(service.rawValue)]", "type = \(service.rawValue)", "client_id = benchmark", "client_secret = none",
            "token = {\(token.joined(separator: ","))}",
        ]
        if let id = account.driveID { lines.append("drive_id = \(id)") }
        if let type = account.driveType { lines.append("drive_type = \(type)") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Sets the variables that lead programs here.
    ///
    /// Nothing that belongs to a person is read or written, and ferry keeps no cache, which rclone doesn't either.
    private func setEnvironment(proxy: String) {
        let variables: [String: String?] = [
            "HTTPS_PROXY": proxy, "HTTP_PROXY": proxy, "https_proxy": nil, "http_proxy": nil,
            "NO_PROXY": nil, "no_proxy": nil, "SSL_CERT_FILE": certificate,
            "RCLONE_CONFIG": folder + "/rclone.conf", "XDG_CONFIG_HOME": folder + "/config",
            "XDG_DATA_HOME": folder + "/data", "XDG_STATE_HOME": folder + "/state",
            "XDG_CACHE_HOME": folder + "/cache", "FERRY_KEYRING": "off", "FERRY_CACHE": "off",
        ]
        for (name, value) in variables {
            let before = getenv(name).map { String(cString: $0) }
            state.withLock { _ = $0.changed.updateValue(before, forKey: name) }
            Self.set(name, value)
        }
    }

    private static func set(_ name: String, _ value: String?) {
        if let value { setenv(name, value, 1) } else { unsetenv(name) }
    }

    /// Waits for the line that says that it is ready.
    private func line(of file: String, _ complaints: String, _ process: pid_t) throws -> Data {
        // Twenty seconds at most.
        for _ in 0..<4000 {
            let text = try Data(contentsOf: URL(filePath: file))
            if text.last == UInt8(ascii: "\n") { return text }
            var status: Int32 = 0
            if waitpid(process, &status, WNOHANG) == process {
                state.withLock { $0.process = nil }
                break
            }
            usleep(5_000)
        }
        let words = (try? String(contentsOfFile: complaints, encoding: .utf8)) ?? ""
        throw Command.Failure(description: "\(program) doesn't start: \(words.prefix(400))")
    }
}
