import FerryMediaProperties
import FerryMediaWire
import FerryTestServers
import Foundation
import Testing

/// A folder of a test, in which programs make files and say what is in them.
struct MediaFolder: Sendable {
    let path: String

    /// Makes a folder, and removes it afterwards.
    static func with(_ body: (MediaFolder) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(
            "ferry-properties-\(UUID().uuidString)"
        )
        .path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await body(MediaFolder(path: path))
    }

    /// Runs a program in the folder, which must succeed, and gives what it wrote.
    @discardableResult
    func run(_ program: String, _ arguments: [String]) async throws -> Data {
        let result = try await TestProgram.run(program, arguments, workingDirectory: path)
        try #require(result.ending.isSuccess, "\(program) \(arguments.joined(separator: " ")): \(result.errors)")
        return result.data
    }

    /// Makes a picture with noise in it; its name's extension says in which format, and libvips' options may follow.
    func picture(_ name: String, width: Int = 64, height: Int = 48, bands: Int = 3) async throws {
        let noise = "noise-\(width)-\(height)-\(bands).v"
        if !FileManager.default.fileExists(atPath: "\(path)/\(noise)") {
            try await run("vips", ["gaussnoise", "float.v", "\(width)", "\(height)", "--seed", "7"])
            try await run("vips", ["cast", "float.v", "one.v", "uchar"])
            let joined = Array(repeating: "one.v", count: bands).joined(separator: " ")
            try await run("vips", ["bandjoin", joined, "joined.v"])
            let space = bands == 1 ? "b-w" : "srgb"
            try await run("vips", ["copy", "joined.v", noise, "--interpretation", space])
        }
        try await run("vips", ["copy", noise, name])
    }

    func write(_ data: Data, to name: String) throws {
        try data.write(to: URL(fileURLWithPath: "\(path)/\(name)"))
    }

    func data(_ name: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)"))
    }

    /// Returns what exiftool finds in a file.
    func exiftool(_ name: String) async throws -> [String: Any] {
        let json = try await run("exiftool", ["-json", "-n", name])
        let files = try JSONSerialization.jsonObject(with: json) as? [[String: Any]]
        return try #require(files?.first)
    }

    /// Returns what Ferry finds in a file.
    func properties(_ name: String) throws -> Found {
        Found(try MediaProperties.read(kind(of: name), from: DataSource(data(name))))
    }

    /// Returns what a file is, by its name.
    func kind(of name: String) -> MediaProperties.Kind {
        switch String(name.split(separator: ".").last ?? "") {
        case "jpg": .jpeg
        case "png": .png
        case "webp": .webP
        case "tif": .tiff
        case "gif": .gif
        case "heic", "avif": .heif
        case "zip", "docx", "xlsx", "pptx", "odt", "ods", "odp", "epub": .zip
        case "pdf": .pdf
        case "svg": .svg
        default: .stream
        }
    }
}

/// The properties that Ferry found, by key.
struct Found {
    let entries: [PropertyEntry]

    init(_ entries: [PropertyEntry]) {
        self.entries = entries
    }

    var keys: [String] { entries.map(\.key) }

    subscript(key: String) -> PropertyEntryValue? { entries.first { $0.key == key }?.value }

    func text(_ key: String) -> String? {
        switch self[key] {
        case .text(let text), .word(let text): text
        default: nil
        }
    }

    func texts(_ key: String) -> [String]? {
        guard case .list(let values) = self[key] else { return nil }
        return values.map { if case .text(let text) = $0 { text } else { "?" } }
    }

    func number(_ key: String) -> Double? {
        switch self[key] {
        case .integer(let number): Double(number)
        case .number(let number), .duration(let number): number
        case .fraction(let numerator, let denominator): Double(numerator) / Double(denominator)
        default: nil
        }
    }
}

/// Bytes in memory, of which is counted what is read.
final class DataSource: PropertySource {
    private let data: Data
    private(set) var bytesRead = 0
    private(set) var readings = 0

    init(_ data: Data) {
        self.data = data
    }

    var size: Int64 { Int64(data.count) }

    func read(at offset: Int64, count: Int) throws -> [UInt8] {
        precondition(offset >= 0 && count >= 0)
        guard offset < data.count else { return [] }
        let start = data.startIndex + Int(offset)
        let bytes = [UInt8](data[start..<min(data.endIndex, start + count)])
        bytesRead += bytes.count
        readings += 1
        return bytes
    }
}
