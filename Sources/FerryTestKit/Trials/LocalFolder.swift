import FerryCore
import Foundation

/// A folder of this machine, for the time of a rule.
struct LocalFolder: Sendable {
    let url: URL

    subscript(name: String) -> URL { url.appendingPathComponent(name) }

    func write(_ name: String, _ contents: Data, modified: Date? = nil) throws -> URL {
        try contents.write(to: self[name])
        if let modified {
            try FileManager.default.setAttributes([.modificationDate: modified], ofItemAtPath: self[name].path)
        }
        return self[name]
    }

    func read(_ name: String) throws -> Data { try Data(contentsOf: self[name]) }

    /// The names in it, hidden ones too.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
    }

    func modifiedDate(of name: String) throws -> Date? {
        try FileManager.default.attributesOfItem(atPath: self[name].path)[.modificationDate] as? Date
    }
}

/// Makes a folder of this machine, and removes it again.
func withLocalFolder<Result>(_ body: (LocalFolder) async throws -> Result) async throws -> Result {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("ferry-check-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: url) }
    return try await body(LocalFolder(url: url))
}
