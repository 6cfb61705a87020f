/// Why a real server doesn't run.
public struct RealServerError: Error, CustomStringConvertible {
    /// The problem, in words for whoever runs the tests.
    public let description: String

    /// Returns what is missing on this machine.
    static func missing(_ program: String, packages: String) -> Self {
        Self(description: "\(program) is missing: scripts/test installs it (\(packages))")
    }
}
