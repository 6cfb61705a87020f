/// A group of operations that are undone together: see ``OperationContext/undoGroup``.
///
/// Only the undo manager that made it knows what is in it.
package protocol UndoGroup: AnyObject, Sendable {}
