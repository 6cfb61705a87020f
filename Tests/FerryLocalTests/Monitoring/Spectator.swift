#if os(Linux)
import FerryCore
import Foundation

@testable import FerryLocal

/// Somebody who watches a folder, and can tell which changes are those of what has happened so far.
struct Spectator {
    private let folder: String
    private let top: ItemPath
    private var iterator: FileChanges.AsyncIterator
    private var marks = 0

    /// Watches a folder of a provider.
    ///
    /// - Parameters:
    ///   - path: The folder to watch.
    ///   - files: Where it is.
    /// - Throws: The error that keeps it from being watched.
    init(_ path: ItemPath = "/", of files: LocalFileProvider) async throws {
        folder = files.base.path + (path.isRoot ? "" : path.string)
        top = path
        // As the provider does, but that a machine may take its time between the halves of a move.
        iterator = try await FolderWatch.begin(path, of: files, movePatience: .seconds(60)).makeAsyncIterator()
    }

    /// The next change, or the end.
    mutating func next() async throws -> FileChange? { try await iterator.next() }

    /// Everything that happened so far: until a file comes that is made now.
    mutating func seen() async throws -> [FileChange] {
        marks += 1
        let name = "mark-\(marks)"
        // By this flag nothing is told of its being closed.
        close(open("\(folder)/\(name)", O_CREAT | O_RDONLY | O_CLOEXEC, 0o600))
        var changes: [FileChange] = []
        while let change = try await iterator.next() {
            if change.path == top.appending(name) { return changes }
            // A file that was long open is reported while it is written to, and again when it is closed.
            let isRepeated = change.kind == .modified && change == changes.last
            if !isRepeated, !change.path.lastName.hasPrefix("mark-") { changes.append(change) }
            if change.kind == .rescan, change.path == top { return changes }
        }
        return changes
    }

    /// Everything until the watch ends.
    mutating func rest() async throws -> [FileChange] {
        var changes: [FileChange] = []
        while let change = try await iterator.next() { changes.append(change) }
        return changes
    }
}
#endif
