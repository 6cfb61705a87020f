import FerryCore
import Foundation
import Synchronization

/// The items that were put to a storage that has not reported what is there now, but only took them.
struct UnseenItems: Sendable {
    /// By the folders that they are in.
    var folders: [ItemPath: [UndoEntry]] = [:]
    var count = 0

    /// Items that may wait: their memory is bounded.
    static let most = 2_000

    /// Files that were written, and are remembered: more than are written at the same time.
    static let mostWritten = 64

    /// The latest files that were written, whether they are looked at later or not.
    var written: [ItemPath] = []

    mutating func take() -> [ItemPath: [UndoEntry]] {
        defer { (folders, count) = ([:], 0) }
        return folders
    }
}

// A listing of a folder tells of all that was put there, where a question for each would be as many requests again.

extension UndoRecorder {
    /// Returns what is at a place now that something was put there.
    ///
    /// - Parameters:
    ///   - path: The place.
    ///   - said: The item as the storage reported it.
    ///   - expected: The item that was to be written there, if that is known.
    /// - Returns: The item that is there; no more than what was expected, where that is looked at later.
    /// - Throws: An error if the storage can't be examined.
    func seen(_ path: ItemPath, _ said: FileObject?, _ expected: ItemStamp?) async throws -> FileObject? {
        if let said = said?.stampable { return said }
        guard policy.looksLater, journal != nil, let expected, expected.type == .file, let size = expected.size else {
            return try await storage.look(path)
        }
        var item = FileObject(path: path, type: .file)
        (item.size, item.modifiedDate) = (size, expected.modified)
        return item
    }

    /// Remembers which files a command has written, where a look costs a request: what they are given right afterwards
    /// belongs to the writing, since a command is taken back as a whole.
    func noteWritten(_ paths: [ItemPath]) {
        guard policy.looksLater, journal != nil, storage.isFar else { return }
        unseen.withLock { unseen in
            unseen.written += paths.suffix(UnseenItems.mostWritten)
            let count = unseen.written.count - UnseenItems.mostWritten
            if count > 0 { unseen.written.removeFirst(count) }
        }
    }

    /// Returns whether a file is one of the latest that were written.
    func wasWritten(_ path: ItemPath) -> Bool { unseen.withLock { $0.written.contains(path) } }

    /// Remembers an entry whose item is to be looked at later.
    func noteUnseen(_ entry: UndoEntry) async {
        guard policy.looksLater, let place = entry.steps.first(where: \.isVague)?.path else { return }
        let isFull = unseen.withLock { unseen in
            unseen.folders[place.parent, default: []].append(entry)
            unseen.count += entry.steps.count { $0.isVague }
            return unseen.count >= UnseenItems.most
        }
        if isFull { await lookAtUnseen() }
    }

    /// Looks at what was put there, folder by folder, and writes down what is seen.
    func lookAtUnseen() async {
        for (folder, entries) in unseen.withLock({ $0.take() }) {
            let items: [ItemPath: FileObject]
            do {
                items = try await look(entries.flatMap(\.steps).filter(\.isVague).map(\.path), in: folder)
            } catch {
                // Then size and kind must do to know it again.
                continue
            }
            for entry in entries {
                var entry = entry
                entry.steps = entry.steps.map { step in items[step.path].map { step.seen($0) } ?? step }
                await journal?.ended(entry)
            }
        }
    }

    /// Returns what is at several places of one folder: with one listing, unless they are few.
    func look(_ paths: [ItemPath], in folder: ItemPath) async throws -> [ItemPath: FileObject] {
        var found: [ItemPath: FileObject] = [:]
        if paths.count < 4 {
            // A folder may be large.
            for path in paths { found[path] = try await storage.look(path) }
            return found
        }
        let wanted = Set(paths)
        for try await page in storage.base.directoryListing(path: folder) {
            for item in page where wanted.contains(item.path) { found[item.path] = item }
        }
        return found
    }
}

extension UndoStep {
    /// The file that was written; `nil` for anything else.
    var writtenFile: ItemPath? {
        switch self {
        case .added(let path, let stamp?, _) where stamp.type == .file: path
        case .replaced(let path, _, _, _): path
        default: nil
        }
    }

    /// Indicates whether what came is known by kind and size alone.
    fileprivate var isVague: Bool {
        switch self {
        case .added(_, let stamp?, _), .replaced(_, let stamp?, _, _): stamp.isVague
        default: false
        }
    }

    /// The same, with what is seen of what came, if it can be that.
    fileprivate func seen(_ item: FileObject) -> UndoStep {
        switch self {
        case .added(let path, let stamp?, let again) where stamp.isVague && stamp.resembles(item):
            .added(path, ItemStamp(item), again: again)
        case .replaced(let path, let left?, let former, let kept) where left.isVague && left.resembles(item):
            .replaced(path, left: ItemStamp(item), former: former, kept)
        default: self
        }
    }
}

extension ItemStamp {
    fileprivate var isVague: Bool { type == .file && modified == nil && eTag == nil }
}
