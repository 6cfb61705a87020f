/// The findings about a server's shell.
struct SFTPShellFacts: Sendable, Hashable {
    /// The programs that work out checksums, by the names of their kinds.
    var programs: [String: String] = [:]
}
