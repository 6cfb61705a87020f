public import FerryCore
public import Foundation

// The abilities that only some storages have, recorded where they change something.

extension UndoableFileProvider: FileProviderSymbolicLink where Base: FileProviderSymbolicLink {
    /// Records it.
    public func create(symbolicLink path: ItemPath, withDestination destination: String) async throws {
        guard let recorder else {
            return try await base.create(symbolicLink: path, withDestination: destination)
        }
        let place = try await fromRoot(path)
        try await recorder.put(
            .link(path: place, target: destination),
            at: place,
            mayReplace: false,
            follows: false,
            again: .link(destination),
            { try await base.create(symbolicLink: path, withDestination: destination) }
        )
    }
}

extension UndoableFileProvider: FileProviderTrash where Base: FileProviderTrash {
    /// Records it.
    @discardableResult
    public func trashItem(path: ItemPath) async throws -> TrashedItem {
        guard let recorder, let item = try await recorder.storage.look(path) else {
            return try await base.trashItem(path: path)
        }
        return try await recorder.trash(item, in: base) { try await base.trashItem(path: path) }
    }

    /// Records it.
    public func restoreFromTrash(_ item: TrashedItem, to target: ItemPath?) async throws {
        guard let recorder else { return try await base.restoreFromTrash(item, to: target) }
        let path = try await fromRoot(target ?? item.originalPath)
        try await recorder.put(.create(path: path), at: path, mayReplace: false, follows: false) {
            try await base.restoreFromTrash(item, to: target)
        }
    }
}

extension UndoableFileProvider: FileProviderVersioning where Base: FileProviderVersioning {
    /// Records it.
    public func restore(_ version: FileVersion, of path: ItemPath) async throws {
        try await write(path, mayReplace: true, UndoRecorder.Writing(date: version.modifiedDate)) {
            try await base.restore(version, of: path)
        }
    }
}

extension UndoableFileProvider: FileProviderBulkWriting where Base: FileProviderBulkWriting {
    /// Records it.
    public func writeFiles(_ files: [BulkFile], overwrite: Bool) async throws -> [Result<FileObject?, any Error>] {
        guard let recorder else { return try await base.writeFiles(files, overwrite: overwrite) }
        var recorded = files
        for index in files.indices { recorded[index].path = try await fromRoot(files[index].path) }
        return try await recorder.writeFiles(recorded, overwrite: overwrite) {
            try await base.writeFiles(files, overwrite: overwrite)
        }
    }
}

extension UndoableFileProvider: FileProviderFolderWriting where Base: FileProviderFolderWriting {
    /// Records it.
    public func writeFolder(
        path: ItemPath,
        lanes: Int,
        files next: @escaping @Sendable () async throws -> [BulkFile]
    ) async throws {
        guard let recorder else { return try await base.writeFolder(path: path, lanes: lanes, files: next) }
        try await recorder.writeFolder(fromRoot(path)) {
            try await base.writeFolder(path: path, lanes: lanes, files: next)
        }
    }
}

extension UndoableFileProvider: FileProviderPartialWriting where Base: FileProviderPartialWriting {
    /// Records it: what was written in parts appears now.
    @discardableResult
    public func finishPartialWrite(_ write: PartialWrite, options: WriteOptions) async throws -> FileObject? {
        let writing = UndoRecorder.Writing(date: options.modifiedDate, ifMatch: options.ifMatch)
        return try await self.write(write.path, mayReplace: options.overwrite || options.ifMatch != nil, writing) {
            try await base.finishPartialWrite(write, options: options)
        }
    }
}

extension UndoableFileProvider: FileProviderItemAttributes where Base: FileProviderItemAttributes {
    /// Records it.
    public func setAttributes(_ attributes: ItemAttributes, path: ItemPath) async throws {
        guard let recorder else { return try await base.setAttributes(attributes, path: path) }
        try await recorder.setAttributes(attributes, fromRoot(path), on: base) {
            try await base.setAttributes(attributes, path: path)
        }
    }
}

extension UndoableFileProvider: FileProviderBatchOperations where Base: FileProviderBatchOperations {
    /// The base's, where nothing is recorded.
    public var batchLimit: Int? { recorder == nil ? base.batchLimit : nil }

    /// Records each: what is kept of an item is found out for one at a time.
    public func removeItems(_ paths: [ItemPath]) async throws -> [Result<Void, any Error>] {
        recorder == nil ? try await base.removeItems(paths) : try await removeOneByOne(paths)
    }

    /// Records each.
    public func moveItems(_ moves: [ItemMove], overwrite: Bool) async throws -> [Result<Void, any Error>] {
        recorder == nil
            ? try await base.moveItems(moves, overwrite: overwrite)
            : try await moveOneByOne(moves, overwrite: overwrite)
    }

    /// Records each.
    public func setAttributes(_ changes: [ItemAttributesChange]) async throws -> [Result<Void, any Error>] {
        recorder == nil ? try await base.setAttributes(changes) : try await setAttributesOneByOne(changes)
    }
}

extension UndoableFileProvider: FileProviderChecksums where Base: FileProviderChecksums {}

extension UndoableFileProvider: FileProviderBlockUpdating where Base: FileProviderBlockUpdating {
    /// Records it: a copy of the whole file is kept, which the storage makes itself.
    @discardableResult
    public func updateBlocks<Edits: AsyncSequence & Sendable>(
        path: ItemPath,
        edits: Edits,
        length: Int64,
        options: WriteOptions
    ) async throws -> FileObject where Edits.Element == FileEdit {
        try await write(path, mayReplace: true, UndoRecorder.Writing(date: options.modifiedDate)) {
            try await base.updateBlocks(path: path, edits: edits, length: length, options: options)
        }
    }
}

extension UndoableFileProvider: FileProviderDirectCopying where Base: FileProviderDirectCopying {
    /// The base's, for what the other provider really is.
    public func canCopy(from source: any FileProviderBasic) -> Bool { base.canCopy(from: source.withoutRecording) }

    /// Records it.
    public func copyItem(
        path: ItemPath,
        of source: any FileProviderBasic,
        to target: ItemPath,
        overwrite: Bool,
        reporting progress: Progress?,
        onError: (@Sendable (ItemPath, any Error) -> Bool)?
    ) async throws -> CopiedItems {
        let source = source.withoutRecording
        guard let recorder else {
            return try await base.copyItem(
                path: path,
                of: source,
                to: target,
                overwrite: overwrite,
                reporting: progress,
                onError: onError
            )
        }
        return try await recorder.copy(path, of: source, to: fromRoot(target), overwrite: overwrite) {
            try await base.copyItem(
                path: path,
                of: source,
                to: target,
                overwrite: overwrite,
                reporting: progress,
                onError: onError
            )
        }
    }
}

extension UndoableFileProvider: FileProviderDirectPartCopying where Base: FileProviderDirectPartCopying {
    /// The base's.
    package func folderRecord(path: ItemPath) -> PartialWrite { base.folderRecord(path: path) }

    /// Records it.
    package func copyFolder(
        path: ItemPath,
        of source: any FileProviderBasic,
        as write: PartialWrite,
        noting note: (@Sendable () -> Void)?,
        leavingOut largest: Int64,
        reporting progress: Progress?,
        onError: (@Sendable (ItemPath, any Error) -> Bool)?
    ) async throws -> (copied: CopiedItems, left: [ItemPath]) {
        let source = source.withoutRecording
        guard let recorder else {
            return try await base.copyFolder(
                path: path,
                of: source,
                as: write,
                noting: note,
                leavingOut: largest,
                reporting: progress,
                onError: onError
            )
        }
        return try await recorder.copy(path, of: source, to: fromRoot(write.path), overwrite: false) {
            try await base.copyFolder(
                path: path,
                of: source,
                as: write,
                noting: note,
                leavingOut: largest,
                reporting: progress,
                onError: onError
            )
        }
    }

    /// Writes to what nobody sees yet.
    package func copyPart(
        of write: PartialWrite,
        from path: ItemPath,
        of source: any FileProviderBasic,
        range: Range<Int64>
    ) async throws -> FileObject {
        try await base.copyPart(of: write, from: path, of: source.withoutRecording, range: range)
    }

    /// Records it.
    package func finishPartialWrite(
        _ write: PartialWrite,
        like path: ItemPath,
        of source: any FileProviderBasic,
        options: WriteOptions
    ) async throws -> FileObject {
        let writing = UndoRecorder.Writing(date: options.modifiedDate, ifMatch: options.ifMatch)
        return try await self.write(write.path, mayReplace: options.overwrite || options.ifMatch != nil, writing) {
            try await base.finishPartialWrite(write, like: path, of: source.withoutRecording, options: options)
        }
    }
}

extension UndoableFileProvider: RecordingFileProvider {
    package var recorded: any FileProviderBasic { base }

    package func recordMove(of path: ItemPath, to target: ItemPath, _ body: () async throws -> Void) async throws {
        guard let recorder else { return try await body() }
        try await recorder.move(fromRoot(path), to: fromRoot(target), overwrite: false, body)
    }
}

extension UndoableFileProvider: FileProviderBasicRemote where Base: FileProviderBasicRemote {}
extension UndoableFileProvider: ConfigurableFileProvider where Base: ConfigurableFileProvider {}
extension UndoableFileProvider: FileProviderSharing where Base: FileProviderSharing {}
extension UndoableFileProvider: FileProviderLearning where Base: FileProviderLearning {}
extension UndoableFileProvider: FileProviderLocking where Base: FileProviderLocking {}
extension UndoableFileProvider: FileProviderConditionalReading where Base: FileProviderConditionalReading {}
extension UndoableFileProvider: ExtendedFileProvider where Base: ExtendedFileProvider {}
extension UndoableFileProvider: FileProviderSettingAside where Base: FileProviderSettingAside {}
extension UndoableFileProvider: FileProviderTheming where Base: FileProviderTheming {}
extension UndoableFileProvider: FileProviderServerDescribing where Base: FileProviderServerDescribing {}
extension UndoableFileProvider: FileProviderLoginRevoking where Base: FileProviderLoginRevoking {}
extension UndoableFileProvider: FileProviderNameFolding where Base: FileProviderNameFolding {}
extension UndoableFileProvider: FileProviderWholeReading where Base: FileProviderWholeReading {}
extension UndoableFileProvider: FileProviderBulkReading where Base: FileProviderBulkReading {}
