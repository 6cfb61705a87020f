import FerryCore
import Foundation

/// Moves and copies, with the rules that hold everywhere, whatever the server's own rules are.
struct HTTPTreeTransfer<Provider: HTTPFileProvider>: Sendable {
    enum Kind: Sendable {
        case move
        case copy
    }

    let provider: Provider
    let kind: Kind

    func perform(_ path: ItemPath, to target: ItemPath, overwrite: Bool) async throws {
        let source = try await provider.attributesOfItem(path: path)
        if source.isDirectory, target.isBelow(path) { throw CocoaError.intoItself(path, target: target) }
        if path == target { throw CocoaError.sameItem(path) }
        try provider.checkName(of: target)
        let existing =
            overwrite || !provider.capabilities.createsExclusively || target.isRoot
            ? try await provider.attributesIfExists(path: target) : nil
        guard let existing else {
            if !provider.capabilities.createsExclusively, let missing = try await provider.missingFolder(for: target) {
                throw missing
            }
            return try await put(source, from: path, to: target, overwrite: false)
        }
        guard overwrite, existing.isDirectory == source.isDirectory, !path.isBelow(target) || !source.isDirectory else {
            throw CocoaError.itemExists(target)
        }
        guard source.isDirectory else { return try await put(source, from: path, to: target, overwrite: true) }
        if let clash = try await firstClash(path, target) { throw CocoaError.itemExists(clash) }
        try await merge(path, into: target)
    }

    /// Brings an item to a path where nothing is, or a file that may be replaced.
    private func put(_ source: FileObject, from path: ItemPath, to target: ItemPath, overwrite: Bool) async throws {
        let operation: FileOperationType =
            switch kind {
            case .move: .move(source: path, destination: target)
            case .copy: .copy(source: .item(path), destination: .item(target))
            }
        do {
            if kind == .move { provider.cache?.remove(provider.cacheKey(of: path)) }
            try await provider.change(
                operation,
                target: target,
                overwrite: overwrite,
                isDirectory: source.isDirectory
            )
        } catch let error as CocoaError where error.code == .featureUnsupported {
            try await putByContent(source, from: path, to: target, overwrite: overwrite)
        }
    }

    // MARK: Where the server can't

    private func putByContent(
        _ source: FileObject,
        from path: ItemPath,
        to target: ItemPath,
        overwrite: Bool
    ) async throws {
        if source.isDirectory {
            try await provider.makeFolder(target)
            try await merge(path, into: target)
            return
        }
        let stream = try await provider.contentStream(path: path, range: .all)
        let options = WriteOptions(
            overwrite: overwrite,
            modifiedDate: provider.capabilities.setsModifiedDate ? source.modifiedDate : nil,
            contentType: source.contentType
        )
        try await provider.writeStream(
            path: target,
            contents: stream,
            length: stream.facts.range.map { Int64($0.count) },
            options: options
        )
        if kind == .move { try await provider.removeItem(path: path) }
    }

    // MARK: Folders onto folders

    /// Puts each item of a folder into another: files replace files, folders are merged, nothing else goes.
    private func merge(_ path: ItemPath, into target: ItemPath) async throws {
        let existing = try await provider.contentsOfDirectory(path: target)
        let byName = Dictionary(existing.map { (Array($0.path.lastName.utf8), $0) }) { first, _ in first }
        for item in try await provider.contentsOfDirectory(path: path) {
            try Task.checkCancellation()
            let place = target.appending(item.path.lastName)
            if let there = byName[Array(item.path.lastName.utf8)] {
                guard there.isDirectory == item.isDirectory else { throw CocoaError.itemExists(place) }
                if item.isDirectory {
                    try await merge(item.path, into: place)
                } else {
                    try await put(item, from: item.path, to: place, overwrite: true)
                }
            } else {
                try await put(item, from: item.path, to: place, overwrite: false)
            }
        }
        guard kind == .move else { return }
        // Items that somebody has put there meanwhile must not go with the folder.
        guard try await provider.contentsOfDirectory(path: path).isEmpty else { throw CocoaError.itemExists(target) }
        try await provider.removeItem(path: path)
    }

    /// The first item for which a folder would have to replace a file, or a file a folder.
    private func firstClash(_ path: ItemPath, _ target: ItemPath) async throws -> ItemPath? {
        let existing = try await provider.contentsOfDirectory(path: target)
        let byName = Dictionary(existing.map { (Array($0.path.lastName.utf8), $0) }) { first, _ in first }
        for item in try await provider.contentsOfDirectory(path: path) {
            guard let there = byName[Array(item.path.lastName.utf8)] else { continue }
            let place = target.appending(item.path.lastName)
            if there.isDirectory != item.isDirectory { return place }
            if item.isDirectory, let clash = try await firstClash(item.path, place) { return clash }
        }
        return nil
    }
}
