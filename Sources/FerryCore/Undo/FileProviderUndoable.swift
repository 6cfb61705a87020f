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
