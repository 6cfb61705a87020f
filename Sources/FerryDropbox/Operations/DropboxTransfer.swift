import FerryCore
import FerryHTTP
import Foundation

/// A move or a copy inside an account.
///
/// Dropbox never replaces what is at the target, so a file that is to be replaced is removed first, and brought back if
/// the item does not come after all. A folder that is put onto a folder is merged item by item.
struct DropboxTransfer: Sendable {
    /// The fate of the source.
    enum Kind: Sendable {
        /// It is gone from where it was.
        case move
        /// It stays.
        case copy
    }

    let provider: DropboxFileProvider
    let kind: Kind
    let progress: Progress?

    /// Moves or copies an item.
    ///
    /// - Parameters:
    ///   - path: The item; an `id:` path leads to it too.
    ///   - target: Its new path, by names.
    ///   - overwrite: A Boolean value that indicates whether a file there may be replaced, or a folder merged into.
    /// - Throws: See the rules of `FileProviderOperations`.
    func perform(_ path: ItemPath, to target: ItemPath, overwrite: Bool) async throws {
        let source = path.beginsWithIdentifier || overwrite ? try await provider.attributesOfItem(path: path) : nil
        let path = source?.path ?? path
        if path == target {
            if source == nil { _ = try await provider.attributesOfItem(path: path) }
            throw CocoaError.sameItem(path)
        }
        let (sourceKey, targetKey) = (DropboxPath.key(path), DropboxPath.key(target))
        if sourceKey == targetKey { return try await respell(path, as: target) }
        if targetKey.hasPrefix(sourceKey + "/"), try await provider.attributesOfItem(path: path).isDirectory {
            throw CocoaError.intoItself(path, target: target)
        }
        guard overwrite, let source, let existing = try await provider.attributesIfExists(path: target) else {
            try await provider.requireFolder(target.parent)
            return try await put(path, to: target, isFolder: source?.isDirectory)
        }
        try await replace(existing, with: source, from: path, at: target)
    }

    // MARK: Onto something

    private func replace(
        _ existing: FileObject,
        with source: FileObject,
        from path: ItemPath,
        at target: ItemPath
    ) async throws {
        let isAbove = DropboxPath.key(path).hasPrefix(DropboxPath.key(target) + "/")
        guard existing.isDirectory == source.isDirectory, !isAbove || !source.isDirectory else {
            throw CocoaError.itemExists(target)
        }
        guard source.isDirectory else { return try await replaceFile(existing, from: path, at: target) }
        if let clash = try await firstClash(path, target) { throw CocoaError.itemExists(clash) }
        try await merge(path, into: target)
    }

    /// Removes a file and puts another in its place; not even a cancellation comes in between.
    private func replaceFile(_ existing: FileObject, from path: ItemPath, at target: ItemPath) async throws {
        guard let rev = existing.eTag else { throw CocoaError.itemExists(target) }
        try Task.checkCancellation()
        try await uncancelled { [provider] in
            let text = DropboxPath.text(target)
            try await mappingRefusals(whileWriting: true, target: target) {
                _ = try await provider.connection.call(
                    "files/delete_v2",
                    ["path": .text(text), "parent_rev": .text(rev)],
                    about: target,
                    isIdempotent: false
                )
            }
            do {
                try await put(path, to: target, isFolder: false)
            } catch {
                do {
                    // The old content comes back, unless something else is there by now.
                    if try await provider.attributesIfExists(path: target) == nil {
                        _ = try await provider.connection.call(
                            "files/restore",
                            ["path": .text(text), "rev": .text(rev)],
                            about: target,
                            isIdempotent: false
                        )
                    }
                } catch {
                    throw CocoaError.file(
                        .fileWriteUnknown,
                        path: target,
                        description: "could not be replaced, and its old content could not be put back",
                        suggestion: "the old content is in the trash",
                        underlying: error
                    )
                }
                throw error
            }
        }
    }

    private func merge(_ path: ItemPath, into target: ItemPath) async throws {
        let existing = try await provider.contentsOfDirectory(path: target)
        let byName = Dictionary(existing.map { (DropboxPath.key($0.path), $0) }) { first, _ in first }
        for item in try await provider.contentsOfDirectory(path: path) {
            try Task.checkCancellation()
            let place = target.appending(item.path.lastName)
            if let there = byName[DropboxPath.key(place)] {
                guard there.isDirectory == item.isDirectory else { throw CocoaError.itemExists(place) }
                if item.isDirectory {
                    try await merge(item.path, into: there.path)
                } else {
                    try await replaceFile(there, from: item.path, at: there.path)
                }
            } else {
                try await put(item.path, to: place, isFolder: item.isDirectory)
            }
        }
        guard kind == .move else { return }
        // An item that somebody has put there meanwhile must not go with the folder.
        guard try await provider.contentsOfDirectory(path: path).isEmpty else { throw CocoaError.itemExists(target) }
        try await provider.remove(path)
    }

    /// The first item that is a folder on one side and a file on the other: nothing is changed then.
    private func firstClash(_ path: ItemPath, _ target: ItemPath) async throws -> ItemPath? {
        let existing = try await provider.contentsOfDirectory(path: target)
        let byName = Dictionary(existing.map { (DropboxPath.key($0.path), $0) }) { first, _ in first }
        for item in try await provider.contentsOfDirectory(path: path) {
            let place = target.appending(item.path.lastName)
            guard let there = byName[DropboxPath.key(place)] else { continue }
            if there.isDirectory != item.isDirectory { return place }
            if item.isDirectory, let clash = try await firstClash(item.path, there.path) { return clash }
        }
        return nil
    }

    // MARK: Another spelling

    /// Renames an item to another spelling of its name, by way of a temporary name: Dropbox takes both for one.
    private func respell(_ path: ItemPath, as target: ItemPath) async throws {
        let source = try await provider.attributesOfItem(path: path)
        guard kind == .move, source.path != target else { throw CocoaError.sameItem(target) }
        let temporary = TemporaryName.make(beside: target)
        try Task.checkCancellation()
        try await uncancelled {
            try await put(path, to: temporary, isFolder: source.isDirectory)
            do {
                try await put(temporary, to: target, isFolder: source.isDirectory)
            } catch {
                do {
                    try await put(temporary, to: path, isFolder: source.isDirectory)
                } catch {
                    throw CocoaError.file(
                        .fileWriteUnknown,
                        path: path,
                        description: "could not be renamed, and is now called '\(temporary.lastName)'",
                        suggestion: "rename it",
                        underlying: error
                    )
                }
                throw error
            }
        }
    }

    // MARK: One item

    /// Moves or copies an item to where nothing is.
    private func put(_ path: ItemPath, to target: ItemPath, isFolder: Bool?) async throws {
        do {
            try await provider.connection.onceOnly {
                try await putOnce(path, to: target, isFolder: isFolder)
            } outcome: {
                try await wasPut(path, to: target)
            }
        } catch let error as DropboxError {
            guard error.tags.last == "too_many_files" else { throw error.mapped(whileWriting: true, target: target) }
            // More than Dropbox handles at once: part by part.
            try await provider.create(folder: target.lastName, at: target.parent, creatingParents: false)
            try await merge(path, into: target)
        }
        if kind == .move {
            provider.folders.forget(path)
            provider.seen.noteLeaving(path)
        }
        progress?.completedUnitCount += 1
    }

    private func putOnce(_ path: ItemPath, to target: ItemPath, isFolder: Bool?) async throws {
        guard isFolder != true else {
            // A job may end with the news that others are under way: then it begins anew.
            return try await provider.connection.patiently { try await putFolder(path, to: target) }
        }
        let operation: FileOperationType =
            kind == .move
            ? .move(source: path, destination: target) : .copy(source: .item(path), destination: .item(target))
        let request = try await provider.request(for: operation)
        let data = try await provider.connection.answer(to: request, about: path)
        note(try DropboxConnection.decoded(RelocatedItem.self, from: data).metadata, target)
    }

    /// Returns a value if an item has come to its target although no answer said so.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - target: Its new path.
    /// - Returns: `nil` if it has not.
    /// - Throws: `CocoaError.fileNoSuchFile` if another item may be there; errors of the connection.
    func wasPut(_ path: ItemPath, to target: ItemPath) async throws -> Void? {
        let before = provider.seen.item(at: DropboxPath.key(path))
        guard let there = try await provider.attributesIfExists(path: target) else { return nil }
        let left = try await provider.attributesIfExists(path: path)
        switch kind {
        case .move:
            if left != nil { return nil }
            // Without knowing the item, what is at the target may be another, and nothing may have been at the source.
            guard let before, !before.hasLeft, there.id == before.id else { throw CocoaError.noSuchItem(path) }
            return ()
        // Of a folder nobody can say whether all of it has come.
        case .copy: return there.isRegularFile && there.extras[.checksums] == left?.extras[.checksums] ? () : nil
        }
    }

    private func note(_ metadata: DropboxMetadata, _ target: ItemPath) {
        if metadata.isFolder { provider.folders.note(target) }
    }

    /// Moves or copies a folder to where nothing is.
    private func putFolder(_ path: ItemPath, to target: ItemPath) async throws {
        let places = DropboxFileProvider.relocation(path, target)
        _ = try await Self.movedFolder(kind, places, keepsBoth: false, about: path, on: provider)
        provider.folders.note(target)
    }

    /// Moves or copies a folder as a job, which may take longer than a server lets a request wait; a job that ends since
    /// Dropbox is busy is repeated by the caller.
    ///
    /// - Parameters:
    ///   - kind: The fate of the source.
    ///   - places: The paths of the source and the target.
    ///   - keepsBoth: A Boolean value that indicates whether Dropbox chooses another name if the target's is taken.
    ///   - path: The folder.
    ///   - provider: The provider.
    /// - Returns: The folder, as Dropbox describes it.
    /// - Throws: ``DropboxError`` for a failure of the job or the folder.
    static func movedFolder(
        _ kind: Kind,
        _ places: JSONValue,
        keepsBoth: Bool,
        about path: ItemPath,
        on provider: DropboxFileProvider
    ) async throws -> DropboxMetadata {
        let name = kind == .move ? "files/move_batch" : "files/copy_batch"
        var argument: [String: JSONValue] = ["entries": [places]]
        if keepsBoth { argument["autorename"] = true }
        let outcome = try await provider.jobOnce(
            DropboxRoute("\(name)_v2"),
            .object(argument),
            check: DropboxRoute("\(name)/check_v2"),
            about: path
        )
        guard case .list(let entries) = outcome["entries"], let entry = entries.first, entries.count == 1 else {
            throw URLError.answer(.cannotParseResponse, description: "Dropbox answers about other items")
        }
        guard entry.tag == "success" else {
            let failure = entry["failure"]
            let details = failure.tag == "relocation_error" ? failure["relocation_error"] : failure
            throw DropboxError(path: path, details: details)
        }
        return try DropboxConnection.decoded(
            DropboxMetadata.self,
            from: try JSONEncoder().encode(entry["success"])
        )
    }
}
