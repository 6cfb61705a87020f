import Foundation

/// A real proxy, Debian's tinyproxy, on a free port of 127.0.0.1; it makes tunnels to every port.
public struct ForwardProxy: Sendable {
    /// The port it listens on.
    public let port: Int

    private let files: ServerFolder
    private let process: ServerProcess

    /// Starts a proxy, which runs until the process ends.
    ///
    /// - Parameters:
    ///   - login: User and password that it asks for; `nil` to ask nobody.
    ///   - isStrict: `true` if it makes tunnels to port 443 only, as most do.
    /// - Returns: The proxy, ready for clients.
    /// - Throws: ``RealServerError``, with what to install or the end of its log.
    public static func start(login: (user: String, password: String)? = nil, isStrict: Bool = false) async throws
        -> ForwardProxy
    {
        for _ in 1...4 {
            if let proxy = try await attempt(login, isStrict) { return proxy }
        }
        throw RealServerError(description: "tinyproxy doesn't listen")
    }

    /// The lines of its log so far: one for each request.
    public var log: String { files.logTail(lines: .max) }

    private static func attempt(_ login: (user: String, password: String)?, _ isStrict: Bool) async throws
        -> ForwardProxy?
    {
        let program = try ServerCommand.find("tinyproxy", packages: "tinyproxy-bin")
        let files = try ServerFolder(owner: nil)
        let port = try FreePorts.find(1)[0]
        let configuration =
            [
                "Port \(port)", "Listen 127.0.0.1", "Allow 127.0.0.1", "Timeout 60", "LogLevel Connect",
                "LogFile \"\(files.path("var/requests.log"))\"",
            ] + (login.map { ["BasicAuth \($0.user) \($0.password)"] } ?? []) + (isStrict ? ["ConnectPort 443"] : [])
        try files.write(configuration.joined(separator: "\n") + "\n", to: "tinyproxy.conf")
        let command = ServerCommand(program, ["-d", "-c", files.path("tinyproxy.conf")])
        let process = try ServerProcess(command, name: "process0", in: files)
        let deadline = ContinuousClock.now + .seconds(300)
        while ContinuousClock.now < deadline, !process.hasEnded {
            if process.isListening(on: port) {
                return ForwardProxy(port: port, files: files, process: process)
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        return nil
    }
}
