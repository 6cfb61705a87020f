import FerryCore

/// The facts that a server has told of itself when the line was made.
struct SFTPServerFacts: Sendable, Hashable {
    /// The extensions that it knows.
    var extensions: Set<SFTPExtension> = []

    /// How long messages may be.
    var limits = SFTPLimits.usual

    /// The folder that the session starts in.
    var home = SFTPPath("/".utf8)

    /// Bytes that a name may have; `nil` where the server doesn't say.
    var maximumNameLength: Int?

    /// The findings about its shell; `nil` before anybody asked.
    var shell: SFTPShellFacts?

    func has(_ name: SFTPExtension) -> Bool { extensions.contains(name) }
}

/// The findings about a server's shell.
struct SFTPShellFacts: Sendable, Hashable {
    /// The programs that work out checksums, by the names of their kinds.
    var programs: [String: String] = [:]
}
