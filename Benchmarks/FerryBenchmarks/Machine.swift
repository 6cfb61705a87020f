import Foundation

/// The facts without which a time means nothing.
struct Machine: Sendable {
    let facts: [String]

    /// Reads them.
    ///
    /// - Parameters:
    ///   - fileSystems: Those that take part.
    ///   - versions: Of the programs that take part.
    init(fileSystems: [FileSystem], versions: [String]) {
        let processor = Self.field("model name", of: "/proc/cpuinfo") ?? "unknown processor"
        let memory = Double(ProcessInfo.processInfo.physicalMemory) / 1_073_741_824
        let system = Self.field("PRETTY_NAME", of: "/etc/os-release", separator: "=") ?? "Linux"
        let kernel = Self.firstLine(of: "/proc/sys/kernel/osrelease") ?? "unknown"
        self.facts =
            [
                "\(ProcessInfo.processInfo.activeProcessorCount) cores of \(processor)",
                String(format: "%.0f GiB of memory", memory),
                "\(system.trimmingCharacters(in: ["\""])), Linux \(kernel)",
                "files on \(fileSystems.map(\.type).joined(separator: " and ")), in the page cache",
            ] + versions
    }

    private static func field(_ name: String, of path: String, separator: Character = ":") -> String? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
        guard let line, let index = line.firstIndex(of: separator) else { return nil }
        return line[line.index(after: index)...].trimmingCharacters(in: .whitespaces)
    }

    private static func firstLine(of path: String) -> String? {
        (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: "\n").first.map(String.init)
    }
}
