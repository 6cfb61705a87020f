import FerryCore
import Foundation

/// Reads a folder, one answer of the server after the other; the next one is under way while the last is looked at.
actor SFTPFolderReader {
    private enum Stage {
        case before
        case reading(SFTPLine, SFTPHandle, SFTPPath)
        case after
    }

    /// Questions that are under way together.
    private static let ahead = 2

    private let provider: SFTPFileProvider
    private let folder: ItemPath
    private var stage = Stage.before
    private var pending: [SFTPPendingAnswer] = []
    private var last: [SFTPNameEntry] = []

    init(_ provider: SFTPFileProvider, _ folder: ItemPath) {
        self.provider = provider
        self.folder = folder
    }

    /// The next items.
    ///
    /// - Returns: At least one; `nil` after the last.
    /// - Throws: Why the folder can't be read.
    func next() async throws -> [FileObject]? {
        if case .before = stage { try await open() }
        guard case .reading(let line, let handle, let path) = stage else { return nil }
        do {
            while let entries = try await entries(handle) {
                let items = try await items(of: entries, line, path)
                if !items.isEmpty { return items }
            }
        } catch {
            finish()
            throw await line.readError(error, folder)
        }
        finish()
        return nil
    }

    private func open() async throws {
        let line = try await provider.line()
        let path = try line.path(folder)
        do {
            stage = .reading(line, try await line.connection.begin(.opendir(path)).handle(on: line.connection), path)
        } catch {
            throw await line.listingError(error, folder)
        }
    }

    private func finish() {
        stage = .after
        pending = []
        last = []
    }

    /// The next answer; `nil` at the end.
    private func entries(_ handle: SFTPHandle) async throws -> [SFTPNameEntry]? {
        while pending.count < Self.ahead { pending.append(handle.connection.begin(.readdir(handle.name))) }
        guard let entries = try await pending.removeFirst().entries(after: last) else { return nil }
        last = entries
        return entries
    }

    private func items(of entries: [SFTPNameEntry], _ line: SFTPLine, _ path: SFTPPath) async throws -> [FileObject] {
        var items: [FileObject] = []
        items.reserveCapacity(entries.count)
        for entry in entries where !entry.isDots {
            let name = NameEscape.name(ofBytes: entry.name)
            if let kind = entry.attributes.kind {
                items.append(FileObject(name: name, in: folder, kind, entry.attributes))
            } else {
                // A server need not say in a listing what kind an item is.
                let request = SFTPRequest.lstat(path.appending(entry.name))
                guard let attributes = try await line.connection.begin(request).attributesIfThere() else { continue }
                items.append(FileObject(name: name, in: folder, attributes.kind ?? .other, attributes))
            }
        }
        return items
    }
}
