/// Facts about the operations of a task that their parameters can't carry, since the providers and wrappers in between
/// know nothing of them.
///
/// They reach everything that the body of ``with(_:_:isolation:perform:)`` calls, including child tasks and tasks made by
/// `Task { }`, but neither detached tasks nor other threads. Each field is `nil` where nobody has set it.
package struct OperationContext: Sendable {
    /// Items as they were listed just before they are changed.
    ///
    /// Set by a transfer for each action and for each request that writes many files; read by the undo recorder, which
    /// then need not ask the storage again.
    package var seenItems: SeenItems?

    /// The new files of one folder, one of which is being written.
    ///
    /// Set by a transfer for each file that comes with others; read by the undo recorder, which notes them together.
    package var comingFiles: ComingFiles?

    /// The listener for overload, also where a provider waits and repeats the request by itself.
    ///
    /// Set by a transfer for its whole run; called by the HTTP session and the providers that retry.
    package var overloadListener: OverloadListener?

    /// The owner of incomplete items.
    ///
    /// Set by a transfer that runs as a job of a journal; read where temporary names are made and judged.
    package var temporaryOwner: TemporaryOwner?

    /// The listener for files that are written under their final names.
    ///
    /// Set by a transfer for each file; called by WebDAV where the server refuses `MOVE`.
    package var inPlaceWriting: InPlaceWriting?

    /// The group that operations become part of when they are undone.
    ///
    /// Set and read by the undo manager.
    package var undoGroup: (any UndoGroup)?

    @TaskLocal private static var taskLocal = OperationContext()

    /// The context of the present task.
    package static var current: OperationContext { taskLocal }

    /// Runs work with one field changed; the others keep their values.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - value: The value of the field until the work ends.
    ///   - isolation: The caller's isolation.
    ///   - body: The work.
    /// - Returns: The value that the body returns.
    /// - Throws: Any error that the body throws.
    package static func with<Value, Result>(
        _ field: WritableKeyPath<OperationContext, Value?>,
        _ value: Value?,
        isolation: isolated (any Actor)? = #isolation,
        perform body: () async throws -> Result
    ) async rethrows -> Result {
        var context = current
        context[keyPath: field] = value
        return try await $taskLocal.withValue(context, operation: body)
    }
}

/// A group of operations that are undone together: see ``OperationContext/undoGroup``.
///
/// Only the undo manager that made it knows what is in it.
package protocol UndoGroup: AnyObject, Sendable {}

/// Hears that what is sent at once is too much, also where a provider by itself waits and asks again.
///
/// A class, since a closure as a task-local value crashes in optimized programs (Swift 6.3).
package final class OverloadListener: Sendable {
    private let hear: @Sendable () -> Void

    /// Makes one.
    ///
    /// - Parameter hear: Called when a storage has said that it has too much to do (RFC 6585 §4, RFC 9110 §15.6.4).
    package init(_ hear: @escaping @Sendable () -> Void) {
        self.hear = hear
    }

    /// A storage has said that it has too much to do.
    package func heard() { hear() }
}
