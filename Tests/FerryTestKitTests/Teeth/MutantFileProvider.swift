import FerryCore
import FerryMemory
import Foundation
import NIOCore
import Synchronization

/// A memory provider with a flaw, as somebody might write one by mistake.
struct MutantFileProvider: FileProviderWrapper {
    let base: MemoryFileProvider
    let flaw: Flaw

    func pass<Result: Sendable>(
        _ call: FileProviderCall,
        _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        switch flaw {
        case .saysNoSuchFileDifferently:
            do {
                return try await body()
            } catch let error as CocoaError where error.code == .fileNoSuchFile {
                throw CocoaError(.fileReadNoSuchFile)
            }
        case .namesNoPath:
            do {
                return try await body()
            } catch let error as CocoaError {
                throw CocoaError(error.code)
            }
        default: return try await body()
        }
    }

    var capabilities: FileProviderCapabilities {
        var capabilities = base.capabilities
        if flaw == .claimsToBeReadOnly { capabilities.isReadOnly = true }
        if flaw == .claimsNoConditions { capabilities.writesConditionally = false }
        if flaw == .startsAtTheRoot { capabilities.addressesByIdentifier = false }
        return capabilities
    }

    var credential: FileProviderCredential? {
        flaw == .tellsItsSecret ? FileProviderCredential(user: "me", secret: .password("hunter2")) : nil
    }

    var debugDescription: String { "<memory \(flaw == .tellsItsSecret ? "hunter2" : "")>" }

    // MARK: Looking

    func directoryListing(path: ItemPath) -> DirectoryListing {
        let pages = base.directoryListing(path: path)
        return DirectoryListing {
            let all = Mutex<[[FileObject]]?>(nil)
            return {
                var rest: [[FileObject]]
                if let known = all.withLock({ $0 }) { rest = known } else { rest = try await self.listed(pages) }
                let page = rest.isEmpty ? nil : rest.removeFirst()
                all.withLock { [rest] in $0 = rest }
                return page
            }
        }
    }

    private func listed(_ pages: DirectoryListing) async throws -> [[FileObject]] {
        var all: [[FileObject]] = []
        do {
            for try await page in pages { all.append(page) }
        } catch {
            if flaw == .hidesItsErrors { return all }
            throw error
        }
        switch flaw {
        case .returnsPagesShort: return all.map { Array($0.dropLast()) }
        case .returnsFirstPageOnly: return Array(all.prefix(1).map { Array($0.prefix(1_000)) })
        case .repeatsPages: return all + all.suffix(1)
        case .forgetsSizes: return all.map { $0.map(withoutSize) }
        default: return all
        }
    }

    private func withoutSize(_ item: FileObject) -> FileObject {
        var item = item
        item.size = nil
        return item
    }

    func searchFiles(path: ItemPath, recursive: Bool, query: FileQuery) -> SearchResults {
        switch flaw {
        case .searchesFlatOnly: crawl(path: path, recursive: false, query: query)
        case .searchesTooDeep: crawl(path: path, recursive: true, query: query)
        default: crawl(path: path, recursive: recursive, query: query)
        }
    }

    func attributesOfItem(path: ItemPath) async throws -> FileObject {
        let asked =
            switch flaw {
            case .forgetsNamesBelowIdentifiers: path.leadingIdentifier.map { ItemPath(identifier: $0) } ?? path
            case .startsAtTheRoot: ItemPath.root.appending(path: path)
            default: path
            }
        var item = try await pass(FileProviderCall(.attributesOfItem)) { try await base.attributesOfItem(path: asked) }
        if flaw == .keepsETags, item.eTag != nil { item.eTag = "always" }
        if flaw == .keepsMetadataVersions { item.metadataVersion = "always" }
        if flaw == .misnamesFolders { item.parentID = item.id }
        return item
    }
}

extension MutantFileProvider: FileProviderReadWrite, FileProviderReadWriteProgressive {
    func contentStream(
        path: ItemPath,
        range: ByteRange,
        reporting progress: Progress?
    ) async throws -> FileContentStream {
        var range = range
        if flaw == .ignoresRangeEnd, case .bytes(let bounds) = range { range = .from(bounds.lowerBound) }
        if flaw == .ignoresRangeStart, case .from = range { range = .all }
        let told: Progress? = flaw == .forgetsProgress ? nil : progress
        let asked = range
        let stream = try await pass(FileProviderCall(.contentStream, path: path)) {
            try await base.contentStream(path: path, range: asked, reporting: told)
        }
        guard flaw == .readsAllAtOnce || flaw == .countsBackwards else { return stream }
        let rest = Mutex<Data?>(try await stream.collect())
        return FileContentStream(facts: stream.facts) {
            if flaw == .countsBackwards { progress?.completedUnitCount -= 1 }
            return rest.withLock { rest in
                defer { rest = nil }
                return rest.map { ByteBuffer(bytes: $0) }
            }
        }
    }

    func contents(path: ItemPath, reporting progress: Progress?) async throws -> Data {
        try await contentStream(path: path, range: .all, reporting: progress).collect()
    }

    func contents(path: ItemPath, offset: Int64, length: Int64?, reporting progress: Progress?) async throws -> Data {
        let range = ByteRange(offset: offset, length: length)
        return try await contentStream(path: path, range: range, reporting: progress).collect()
    }

    func writeContents(
        path: ItemPath,
        contents: Data,
        atomically: Bool,
        overwrite: Bool,
        reporting progress: Progress?
    ) async throws {
        try await writeStream(
            path: path,
            contents: DataChunks(contents),
            length: Int64(contents.count),
            options: WriteOptions(overwrite: overwrite, atomically: atomically),
            reporting: progress
        )
    }

    @discardableResult
    func writeStream<Contents: AsyncSequence & Sendable>(
        path: ItemPath,
        contents: Contents,
        length: Int64?,
        options: WriteOptions,
        reporting progress: Progress?
    ) async throws -> FileObject? where Contents.Element == ByteBuffer {
        var options = options
        switch flaw {
        case .ignoresOverwriteOff: options.overwrite = true
        case .ignoresConditions, .claimsNoConditions:
            options.overwrite = options.overwrite || options.ifMatch != nil
            options.ifMatch = nil
        case .forgetsDates: options.modifiedDate = nil
        case .checksThenWrites where !options.overwrite:
            guard (try? await base.attributesOfItem(path: path)) == nil else { throw CocoaError.itemExists(path) }
            options.overwrite = true
        case .removesBeforeWriting where options.overwrite:
            try? await base.removeItem(path: path)
        case .makesMissingFolders:
            try? await base.create(folder: path.parent.lastName, at: path.parent.parent, creatingParents: true)
        default: break
        }
        let collected = try await collect(contents, to: path, length: length)
        let told: Progress? = flaw == .forgetsProgress ? nil : progress
        let (final, data) = (options, collected)
        if flaw == .ignoresCancellation {
            return try await Task { [base] in
                try await base.writeStream(path: path, contents: DataChunks(data), options: final)
            }.value
        }
        return try await pass(FileProviderCall(.writeStream, path: path)) {
            try await base.writeStream(
                path: path,
                contents: DataChunks(data),
                length: nil,
                options: final,
                reporting: told
            )
        }
    }

    private func collect<Contents: AsyncSequence & Sendable>(
        _ contents: Contents,
        to path: ItemPath,
        length: Int64?
    ) async throws -> Data where Contents.Element == ByteBuffer {
        var data = Data()
        do {
            for try await chunk in contents {
                if flaw != .ignoresCancellation { try Task.checkCancellation() }
                data.append(contentsOf: chunk.readableBytesView)
            }
        } catch {
            if flaw == .leavesPartialFile { try await base.writeContents(path: path, contents: data, overwrite: true) }
            if flaw == .swallowsSourceErrors { return data }
            throw error
        }
        if let length, length != data.count, flaw != .ignoresLength {
            throw URLError.wrongLength(expected: length, received: Int64(data.count))
        }
        return flaw == .losesLastByte ? Data(data.dropLast()) : data
    }
}

extension MutantFileProvider: FileProviderOperations {
    func create(folder name: String, at parent: ItemPath, creatingParents: Bool) async throws {
        let creatingParents = creatingParents || flaw == .makesMissingFolders
        try await pass(FileProviderCall(.createFolder)) {
            try await base.create(folder: name, at: parent, creatingParents: creatingParents)
        }
    }

    func copyItem(path: ItemPath, to target: ItemPath, overwrite: Bool, reporting progress: Progress?) async throws {
        let item = try? await base.attributesOfItem(path: path)
        switch flaw {
        case .copiesFoldersEmpty where item?.isDirectory ?? false:
            try await base.create(folder: target.lastName, at: target.parent)
        case .followsLinks where item?.isSymbolicLink ?? false:
            try await base.writeContents(path: target, contents: try await base.contents(path: path))
        case .replacesFolders where overwrite && item?.isDirectory ?? false && path != target:
            try? await base.removeItem(path: target)
            fallthrough
        default:
            try await pass(FileProviderCall(.copyItem, path: path, target: target)) {
                try await base.copyItem(path: path, to: target, overwrite: overwrite, reporting: progress)
            }
        }
    }

    func moveItem(path: ItemPath, to target: ItemPath, overwrite: Bool, reporting progress: Progress?) async throws {
        let overwrite = overwrite || flaw == .movesOverwriting
        if flaw == .copiesInsteadOfMoving {
            return try await base.copyItem(path: path, to: target, overwrite: overwrite, reporting: progress)
        }
        if flaw == .replacesFolders, overwrite, path != target { try? await base.removeItem(path: target) }
        try await pass(FileProviderCall(.moveItem, path: path, target: target)) {
            try await base.moveItem(path: path, to: target, overwrite: overwrite, reporting: progress)
        }
    }

    func removeItem(path: ItemPath, reporting progress: Progress?) async throws {
        if flaw == .removesByPrefix {
            for item in try await base.contentsOfDirectory(path: path.parent)
            where item.path != path && item.path.string.hasPrefix(path.string) {
                try await base.removeItem(path: item.path)
            }
        }
        if flaw == .removesMissing, (try? await base.attributesOfItem(path: path)) == nil { return }
        try await pass(FileProviderCall(.removeItem, path: path)) {
            try await base.removeItem(path: path, reporting: progress)
        }
    }

    func copyItem(localFile: URL, to target: ItemPath, overwrite: Bool, reporting progress: Progress?) async throws {
        let overwrite = overwrite || flaw == .ignoresOverwriteOff
        try await base.copyItem(localFile: localFile, to: target, overwrite: overwrite, reporting: progress)
    }

    func copyItem(
        path: ItemPath,
        toLocalURL localURL: URL,
        overwrite: Bool,
        reporting progress: Progress?
    ) async throws {
        if flaw == .downloadsInPlace {
            if !overwrite, FileManager.default.fileExists(atPath: localURL.path) {
                throw CocoaError(.fileWriteFileExists)
            }
            try Data().write(to: localURL)
            return try await contents(path: path, reporting: progress).write(to: localURL)
        }
        try await base.copyItem(path: path, toLocalURL: localURL, overwrite: overwrite, reporting: progress)
    }
}

extension MutantFileProvider: FileProviderSymbolicLink {
    func destination(ofSymbolicLink path: ItemPath) async throws -> String {
        let text = try await base.destination(ofSymbolicLink: path)
        return flaw == .resolvesLinkTexts ? path.parent.appending(path: ItemPath(text) ?? .root).string : text
    }
}

extension MutantFileProvider: FileProviderMonitor {
    func changes(under path: ItemPath) async throws -> FileChanges {
        let changes = try await base.changes(under: path)
        guard flaw == .isDeaf else { return changes }
        return FileChanges(AsyncThrowingStream { _ in })
    }
}

extension MutantFileProvider: FileProviderChangeTracking {
    func changes(since anchor: ChangeAnchor) async throws -> ChangeSet {
        do {
            let set = try await base.changes(since: anchor)
            let changes = set.changes.compactMap(reported)
            return ChangeSet(changes: changes, anchor: set.anchor, hasMore: set.hasMore)
        } catch let error as AnchorExpiredError {
            guard flaw == .acceptsAnyAnchor else { throw error }
            return ChangeSet(changes: [], anchor: anchor, hasMore: false)
        }
    }

    private func reported(_ change: TrackedChange) -> TrackedChange? {
        switch (change, flaw) {
        case (.removed, .forgetsRemovals): nil
        case (.removed, .misnamesRemovals): .removedItem(id: "another")
        default: change
        }
    }

    func waitForChanges(since anchor: ChangeAnchor, timeout: Duration) async throws -> Bool {
        do {
            let isNew = try await base.waitForChanges(since: anchor, timeout: timeout)
            return isNew ? flaw != .hasNoNews : flaw == .alwaysHasNews
        } catch {
            guard flaw == .hidesErrorsOfWaits else { throw error }
            return false
        }
    }
}

extension MutantFileProvider: FileProviderTrash {
    func restoreFromTrash(_ item: TrashedItem, to target: ItemPath?) async throws {
        if flaw == .restoresOverwriting { try? await base.removeItem(path: target ?? item.originalPath) }
        try await base.restoreFromTrash(item, to: target)
    }

    func emptyTrash(_ items: [TrashedItem]?) async throws {
        try await base.emptyTrash(flaw == .emptiesAllTrash ? nil : items)
    }
}

extension MutantFileProvider: FileProviderVersioning {
    func versions(of path: ItemPath) async throws -> [FileVersion] {
        let versions = try await base.versions(of: path)
        return flaw == .listsVersionsBackwards ? versions.reversed() : versions
    }
}
