import FerryCore
import FerryTestServers
import Foundation
import Testing

@testable import FerryLocal

/// A folder of the test's own, removed when the test ends.
final class TemporaryFolder: Sendable {
    let url: URL

    init(in parent: URL = FileManager.default.temporaryDirectory) throws {
        url = parent.appending(path: "ferry-tests-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        // Not by Foundation, which can't remove a tree that is thousands of levels deep.
        let name = url.lastPathComponent
        let parent = BaseFolder(path: url.deletingLastPathComponent().path(percentEncoded: false))
        guard let folder = try? parent.folder() else { return }
        try? TreeRemover.removeOurs(Place(folder: folder, name: Array(name.utf8CString)), path: "/")
    }

    /// A provider for the folder, or one in it.
    func provider(_ subfolder: String = "", method: BaseFolder.Method = .best) -> LocalFileProvider {
        LocalFileProvider(base: BaseFolder(path: path(subfolder), method: method), trashes: trashes, asides: asides)
    }

    /// The folders for items that are kept out of sight, in this folder, too.
    var asides: AsideFolders { AsideFolders(environment: ["XDG_STATE_HOME": path(".state")]) }

    /// A home trash in this folder.
    var trashes: TrashFolders { TrashFolders(environment: ["XDG_DATA_HOME": path(".data")]) }

    func path(_ relative: String = "") -> String {
        var path = url.path(percentEncoded: false)
        while path.hasSuffix("/") { path.removeLast() }
        return relative.isEmpty ? path : path + "/" + relative
    }

    func write(_ text: String, to relative: String) throws {
        let target = path(relative)
        try FileManager.default.createDirectory(
            atPath: (target as NSString).deletingLastPathComponent,
            withIntermediateDirectories: true
        )
        try text.write(toFile: target, atomically: false, encoding: .utf8)
    }

    func read(_ relative: String) -> String? {
        try? String(contentsOfFile: path(relative), encoding: .utf8)
    }

    func link(_ relative: String, to destination: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path(relative), withDestinationPath: destination)
    }

    func makeFolder(_ relative: String) throws {
        try FileManager.default.createDirectory(atPath: path(relative), withIntermediateDirectories: true)
    }

    /// Every name below the folder, hidden ones too, sorted.
    func names(_ relative: String = "") throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: path(relative)).sorted()
    }

    func status(_ relative: String) throws -> FileStatus {
        try BaseFolder.machine.place(of: ItemPath(parsing: path(relative))).status()
    }
}

/// Expects a `CocoaError` with a code.
func expect(
    _ code: CocoaError.Code,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Void
) async {
    do {
        try await body()
        Issue.record("nothing was thrown", sourceLocation: sourceLocation)
    } catch let error as CocoaError {
        #expect(error.code == code, sourceLocation: sourceLocation)
    } catch {
        Issue.record(error, sourceLocation: sourceLocation)
    }
}

/// The number of this process's open files below a folder.
func openFiles(below path: String) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { name in
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
        return target?.hasPrefix(path) == true
    }
}

/// Waits until so many files are open below a folder: a thread that has just done something may hold its files a moment
/// longer.
func untilOpenFiles(below path: String, _ isRight: (Int) -> Bool) async throws {
    var count = 0
    try await until("the number of open files below \(path) is right, not \(count)") {
        count = try openFiles(below: path)
        return isRight(count)
    }
}
