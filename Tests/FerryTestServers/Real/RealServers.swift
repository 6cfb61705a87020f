/// The servers that this process's tests share: one of each kind, started with its first user.
actor RealServers {
    static let shared = RealServers()

    private var starting: [RealServerKind: Task<RealServer, any Error>] = [:]

    func server(_ kind: RealServerKind) async throws -> RealServer {
        let task = starting[kind] ?? Task { try await ServerStarter(kind: kind).start() }
        starting[kind] = task
        return try await task.value
    }
}
