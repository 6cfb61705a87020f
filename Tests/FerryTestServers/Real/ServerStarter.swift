/// Starts a server.
struct ServerStarter: Sendable {
    let kind: RealServerKind
    var extras: [String] = []

    /// Starts it, anew with other ports if somebody else took one of its ports meanwhile.
    func start() async throws -> RealServer {
        for _ in 1..<4 {
            if let server = try await attempt(isLast: false) { return server }
        }
        guard let server = try await attempt(isLast: true) else { throw CancellationError() }
        return server
    }

    private func attempt(isLast: Bool) async throws -> RealServer? {
        let recipe = kind.recipe
        let files = try ServerFolder(owner: recipe.owner)
        let ports = try FreePorts.find(recipe.portCount)
        let authority = try ServerCertificates.make(in: files)
        let prepared = try recipe.prepare(files, ports: ports, extras: extras)
        let processes = try prepared.commands.enumerated().map { index, command in
            try ServerProcess(command, name: "process\(index)", in: files)
        }
        // A Python interpreter takes a second to start, more on a busy machine.
        let deadline = ContinuousClock.now + .seconds(300)
        while true {
            if processes.contains(where: \.hasEnded) {
                guard isLast else { return nil }
                throw RealServerError(description: "\(kind) ended at once:\n\(files.logTail())")
            }
            let ids = processes.compactMap(\.id)
            if ids.count == processes.count,
                ports.allSatisfy({ port in processes.contains { $0.isListening(on: port) } })
            {
                return RealServer(
                    kind: kind,
                    endpoints: prepared.endpoints,
                    certificateAuthority: authority,
                    files: files,
                    processes: ids
                )
            }
            guard ContinuousClock.now < deadline else {
                throw RealServerError(description: "\(kind) doesn't listen:\n\(files.logTail())")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}
