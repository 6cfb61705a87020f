import Foundation

/// An agent that holds keys, for as long as somebody holds this.
public final class SSHAgent: Sendable {
    /// Its socket.
    public let socket: String

    private let pid: Int32

    private init(socket: String, pid: Int32) {
        self.socket = socket
        self.pid = pid
    }

    deinit { kill(pid, SIGTERM) }

    /// Starts an agent.
    ///
    /// - Parameter keys: The keys that it holds, which no passphrase protects.
    /// - Returns: The agent.
    /// - Throws: ``RealServerError``.
    public static func start(holding keys: [SSHKeyPair]) async throws -> SSHAgent {
        let socket = "/tmp/ferry-agent-\(UUID().uuidString.prefix(8))"
        let program = try ServerCommand.find("ssh-agent", packages: "openssh-client")
        let text = try await SSHTool.run(program, ["-s", "-a", socket])
        let digits = text.components(separatedBy: "SSH_AGENT_PID=").last?.prefix { $0.isNumber } ?? ""
        guard let pid = Int32(digits) else { throw RealServerError(description: "ssh-agent says: \(text)") }
        let agent = SSHAgent(socket: socket, pid: pid)
        let adder = try ServerCommand.find("ssh-add", packages: "openssh-client")
        for key in keys { try await SSHTool.run(adder, ["-q", key.path], environment: ["SSH_AUTH_SOCK": socket]) }
        return agent
    }
}
