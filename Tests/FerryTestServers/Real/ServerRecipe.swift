/// How one kind of server is started.
protocol ServerRecipe {
    /// The user it becomes when root starts it; `nil` if it stays what it is.
    static var owner: ServerOwner? { get }
    /// How many ports it listens on.
    static var portCount: Int { get }

    /// Writes its configuration.
    ///
    /// - Parameters:
    ///   - files: The server's own folder.
    ///   - ports: As many as ``portCount``.
    ///   - extras: Settings that a test adds.
    /// - Returns: The commands to run, and the ways into the server; first of all HTTP with Basic.
    /// - Throws: ``RealServerError`` if it isn't installed.
    static func prepare(_ files: ServerFolder, ports: [Int], extras: [String]) throws -> PreparedServer
}

extension ServerRecipe {
    static var owner: ServerOwner? { .webServer }
    static var portCount: Int { 2 }
}

/// The preparations of a ``ServerRecipe``.
struct PreparedServer: Sendable {
    var commands: [ServerCommand]
    var endpoints: [RealServerEndpoint]
}
