public import Foundation

/// A storage whose operations can be taken back.
public protocol FileProviderUndoable: FileProviderOperations {
    /// Returns whether an operation of this kind could be taken back, asked *before* it is done.
    ///
    /// - Parameter operation: The operation.
    /// - Returns: `false` where the storage would lose what undoing needs.
    func canUndo(operation: FileOperationType) -> Bool

    /// Indicates whether there is something to undo.
    var canUndo: Bool { get }

    /// Indicates whether there is something to redo.
    var canRedo: Bool { get }

    /// Takes back the last operation.
    ///
    /// - Throws: An error that says what was changed meanwhile; then nothing is touched. `UndoableFileProvider` of the
    ///   library `FerryUndo` throws `UndoRefusal`.
    func undo() async throws

    /// Does again what was last undone.
    ///
    /// - Throws: As ``undo()``.
    func redo() async throws
}

extension FileProviderUndoable {
    /// Returns whether what a progress stands for can be taken back.
    ///
    /// - Parameter progress: From one of our completion-handler forms.
    /// - Returns: `false` for any other progress.
    public func canUndo(_ progress: Progress) -> Bool {
        progress.operationType.map { canUndo(operation: $0) } ?? false
    }
}

/// A provider that records what is done.
package protocol RecordingFileProvider: FileProviderBasic {
    /// The provider whose operations it records.
    var recorded: any FileProviderBasic { get }

    /// Records a move that somebody makes without it.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - target: Its new path; nothing is there, or what an earlier run of the same has brought.
    ///   - body: Makes the move.
    /// - Throws: Any error that `body` throws, after which the storage is asked how far the move has come; an error if
    ///   it can't be recorded.
    func recordMove(of path: ItemPath, to target: ItemPath, _ body: () async throws -> Void) async throws
}

extension FileProviderBasic {
    /// The same storage without recording: for undoing itself, for what nobody wants back, and as the source of a copy
    /// that a storage makes of another of its kind.
    package var withoutRecording: any FileProviderBasic { (self as? any RecordingFileProvider)?.recorded ?? self }
}

extension FileProviderReadWriteProgressive where Self: FileProvider {
    /// The same storage without recording, which can be read and written as this one.
    package var withoutRecording: any FileProvider & FileProviderReadWriteProgressive {
        let recorded = (self as? any RecordingFileProvider)?.recorded
        return recorded as? any FileProvider & FileProviderReadWriteProgressive ?? self
    }
}
