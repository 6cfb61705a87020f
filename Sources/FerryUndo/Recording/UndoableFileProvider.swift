public import FerryCore
public import Foundation
public import NIOCore

/// A provider whose operations can be taken back: it records whatever goes through it.
///
/// Before something is replaced or removed, it is kept: as a version of the storage's, in its trash, out of sight on the
/// storage, or as a copy on this machine, whichever works first. What goes past it, by whoever holds the base, is not
/// recorded, and is noticed: what was changed meanwhile is not undone.
///
/// ```swift
/// let files = UndoableFileProvider(LocalFileProvider(baseURL: folder))
/// try await files.moveItem(path: "/report.pdf", to: "/archive/report.pdf")
/// try await files.undo()
/// ```
public struct UndoableFileProvider<Base: FileProviderBasic>: FileProviderWrapper {
    /// It is here for just that.
    public static var addedAbilities: Set<String> { ["FileProviderUndoable"] }

    /// The provider that is wrapped.
    public let base: Base

    /// The manager of the operations that can be taken back; other providers may share it.
    public let undoManager: FileUndoManager

    let recorder: UndoRecorder?

    /// Wraps a provider.
    ///
    /// - Parameters:
    ///   - base: The provider to wrap.
    ///   - undoManager: Where to record; share it to have one order of things for several storages.
    ///   - shadow: Where on this machine to keep copies for a storage that keeps nothing; nowhere when `nil`.
    ///   - policy: How undoing is made possible, and what happens where it isn't.
    ///   - journal: Where to write down what is done, so that it outlives the process.
    public init(
        _ base: Base,
        undoManager: FileUndoManager = FileUndoManager(),
        shadow: ShadowStore? = nil,
        policy: UndoPolicy = UndoPolicy(),
        journal: (any UndoJournal)? = nil
    ) {
        self.base = base
        self.undoManager = undoManager
        recorder = (base as? any FileProviderOperations).map { base in
            UndoRecorder(
                storage: UndoStorage(base, shadow: shadow, ways: policy.ways, retries: policy.retries),
                manager: undoManager,
                policy: policy,
                journal: journal
            )
        }
        if let abilities = recorder?.storage.abilities {
            undoManager.add { UndoPlan.canUndo($0, abilities: abilities) }
        }
    }

    /// Shows a storage without what others have set aside there, and records nothing.
    ///
    /// - Parameter base: The provider to wrap.
    package init(hidingIn base: Base) {
        self.base = base
        undoManager = FileUndoManager(keeping: false)
        recorder = nil
    }
}

extension UndoableFileProvider {
    /// Looks at what was put to where the storage has not said what is there now: see ``UndoPolicy/looksLater``.
    package func finishLooking() async {
        await recorder?.endAnnounced()
        await recorder?.lookAtUnseen()
    }
}

extension UndoableFileProvider: FileProviderUndoable where Base: FileProviderOperations {
    /// Returns whether an operation of this kind could be taken back.
    public func canUndo(operation: FileOperationType) -> Bool {
        recorder.map { UndoPlan.canUndo(operation, abilities: $0.storage.abilities) } ?? false
    }

    /// Indicates whether there is something to undo.
    public var canUndo: Bool { undoManager.canUndo }

    /// Indicates whether there is something to redo.
    public var canRedo: Bool { undoManager.canRedo }

    /// Takes back the last group of operations.
    public func undo() async throws { try await undoManager.undo() }

    /// Does again what was last undone.
    public func redo() async throws { try await undoManager.redo() }
}

extension UndoableFileProvider: FileProviderOperations where Base: FileProviderOperations {
    /// Records it.
    public func create(folder name: String, at parent: ItemPath, creatingParents: Bool) async throws {
        guard let recorder else {
            return try await base.create(folder: name, at: parent, creatingParents: creatingParents)
        }
        let place = try await fromRoot(parent.appending(name))
        try await recorder.createFolder(place, creatingParents: creatingParents) {
            try await base.create(folder: name, at: parent, creatingParents: creatingParents)
        }
    }

    /// Records it.
    public func moveItem(
        path: ItemPath,
        to target: ItemPath,
        overwrite: Bool,
        reporting progress: Progress?
    ) async throws {
        guard let recorder else {
            return try await base.moveItem(path: path, to: target, overwrite: overwrite, reporting: progress)
        }
        let (source, place) = (try await fromRoot(path), try await fromRoot(target))
        try await recorder.move(source, to: place, overwrite: overwrite) {
            try await base.moveItem(path: path, to: target, overwrite: overwrite, reporting: progress)
        }
    }

    /// Records it.
    public func copyItem(
        path: ItemPath,
        to target: ItemPath,
        overwrite: Bool,
        reporting progress: Progress?
    ) async throws {
        guard let recorder else {
            return try await base.copyItem(path: path, to: target, overwrite: overwrite, reporting: progress)
        }
        let (source, place) = (try await fromRoot(path), try await fromRoot(target))
        try await recorder.copy(source, to: place, overwrite: overwrite) {
            try await base.copyItem(path: path, to: target, overwrite: overwrite, reporting: progress)
        }
    }

    /// Takes the item away so that it can come back.
    public func removeItem(path: ItemPath, reporting progress: Progress?) async throws {
        guard let recorder else { return try await base.removeItem(path: path, reporting: progress) }
        try progress.checkCancellation()
        try await recorder.remove(fromRoot(path)) { try await base.removeItem(path: path, reporting: progress) }
        progress?.finish()
    }

    /// Records it.
    public func copyItem(
        localFile: URL,
        to target: ItemPath,
        overwrite: Bool,
        reporting progress: Progress?
    ) async throws {
        guard let recorder else {
            return try await base.copyItem(localFile: localFile, to: target, overwrite: overwrite, reporting: progress)
        }
        let place = try await fromRoot(target)
        let operation = FileOperationType.copy(source: .localFile(localFile), destination: .item(place))
        var expected = FileObject(path: place, type: .file)
        let values = try? localFile.resourceValues(forKeys: [.contentModificationDateKey])
        expected.modifiedDate = values?.contentModificationDate
        let writing = UndoRecorder.Writing(date: expected.modifiedDate)
        try await recorder.put(operation, at: place, mayReplace: overwrite, follows: true, writing: writing) {
            try await base.copyItem(localFile: localFile, to: target, overwrite: overwrite, reporting: progress)
        }
    }
}

extension UndoableFileProvider: FileProviderReadWrite where Base: FileProviderReadWrite {
    /// Records it.
    public func writeContents(
        path: ItemPath,
        contents: Data,
        atomically: Bool,
        overwrite: Bool,
        reporting progress: Progress?
    ) async throws {
        try await write(path, mayReplace: overwrite) {
            try await base.writeContents(
                path: path,
                contents: contents,
                // Writing in place would change what was kept of the file, too.
                atomically: atomically || recorder != nil,
                overwrite: overwrite,
                reporting: progress
            )
        }
    }
}

extension UndoableFileProvider: FileProviderReadWriteProgressive where Base: FileProviderReadWriteProgressive {
    /// Records it.
    @discardableResult
    public func writeStream<Contents: AsyncSequence & Sendable>(
        path: ItemPath,
        contents: Contents,
        length: Int64?,
        options: WriteOptions,
        reporting progress: Progress?
    ) async throws -> FileObject? where Contents.Element == ByteBuffer {
        guard let recorder else {
            return try await base.writeStream(
                path: path,
                contents: contents,
                length: length,
                options: options,
                reporting: progress
            )
        }
        var options = options
        // Writing in place would change what was kept of the file, too.
        options.atomically = true
        let how = options
        return try await write(
            path,
            mayReplace: options.overwrite || options.ifMatch != nil,
            expected: recorder.expected(path, size: length, modifiedDate: options.modifiedDate),
            UndoRecorder.Writing(date: how.modifiedDate, ifMatch: how.ifMatch)
        ) {
            try await base.writeStream(
                path: path,
                contents: contents,
                length: length,
                options: how,
                reporting: progress
            )
        }
    }
}

extension UndoableFileProvider {
    /// Returns the path under which an operation is recorded, from the root.
    ///
    /// Records show by their paths which of them are about one item, and an identifier leads nowhere once its item is gone.
    /// The operation itself keeps the path that was given.
    func fromRoot(_ path: ItemPath) async throws -> ItemPath {
        recorder == nil ? path : try await base.pathFromRoot(path)
    }

    /// Does what writes a file.
    func write<Result: Sendable>(
        _ path: ItemPath,
        mayReplace: Bool,
        expected: ItemStamp? = nil,
        _ writing: UndoRecorder.Writing = UndoRecorder.Writing(),
        _ body: () async throws -> Result
    ) async throws -> Result {
        guard let recorder else { return try await body() }
        let path = try await fromRoot(path)
        let operation: FileOperationType = mayReplace ? .modify(path: path) : .create(path: path)
        return try await recorder.put(
            operation,
            at: path,
            mayReplace: mayReplace,
            follows: true,
            expected: expected,
            writing: writing,
            body,
            what: { $0 as? FileObject }
        )
    }
}
