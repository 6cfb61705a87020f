import ArgumentParser

/// `ferry version`: which ferry this is.
struct VersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version",
        abstract: "Say which version this is.",
        discussion: "The first line is the version, the second what it was built with and for."
    )

    /// The version itself.
    static let version = "0.1.0"

    /// The version as a line.
    static let line = "ferry \(version)"

    @Flag(help: "Print a JSON object.")
    var json = false

    func run() throws {
        if json {
            print(#"{"version":"\#(Self.version)","swift":"\#(Self.swift)","platform":"\#(Self.platform)"}"#)
        } else {
            print(Self.line)
            print("built with Swift \(Self.swift) for \(Self.platform)")
        }
    }

    private static var swift: String {
        #if compiler(>=6.4)
        "6.4"
        #elseif compiler(>=6.3)
        "6.3"
        #else
        "6.2"
        #endif
    }

    private static var platform: String { "\(system) \(architecture)" }

    private static var system: String {
        #if os(Linux)
        "Linux"
        #elseif os(macOS)
        "macOS"
        #else
        "another system"
        #endif
    }

    private static var architecture: String {
        #if arch(x86_64)
        "x86_64"
        #elseif arch(arm64)
        "arm64"
        #else
        "another processor"
        #endif
    }
}
