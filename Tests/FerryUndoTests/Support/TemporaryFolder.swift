import FerryCore
import Foundation

@testable import FerryLocal

/// A folder of the test's own, removed when the test ends.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory
            .appending(path: "ferry-undo-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// A provider for a folder in it, whose trash and items that are set aside are in it, too.
    func provider(_ subfolder: String) -> LocalFileProvider {
        LocalFileProvider(
            base: BaseFolder(path: path(subfolder)),
            trashes: TrashFolders(environment: ["XDG_DATA_HOME": path(".data")]),
            asides: AsideFolders(environment: ["XDG_STATE_HOME": path(".state")])
        )
    }

    func path(_ relative: String) -> String { url.appending(path: relative).path(percentEncoded: false) }

    func write(_ text: String, to relative: String) throws {
        try text.write(toFile: path(relative), atomically: false, encoding: .utf8)
    }

    func read(_ relative: String) -> String? {
        try? String(contentsOfFile: path(relative), encoding: .utf8)
    }

    func makeFolder(_ relative: String) throws {
        try FileManager.default.createDirectory(atPath: path(relative), withIntermediateDirectories: true)
    }

    /// Every name below a folder, hidden ones too, sorted.
    func names(_ relative: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: path(relative)).sorted()
    }

    func permissions(_ relative: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path(relative))[.posixPermissions] as? Int
    }
}
