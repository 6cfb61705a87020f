/// Is told how the operations of the completion-handler forms go.
///
/// Called on ``FileProviderEnvironment/callbackQueue``, which is the main queue on Apple's systems unless another was
/// given: any number of times while an operation proceeds, then exactly once with
/// its end.
public protocol FileProviderDelegate: AnyObject, Sendable {
    /// An operation ended well.
    ///
    /// - Parameters:
    ///   - provider: Where.
    ///   - operation: The operation that was done.
    func fileProvider(_ provider: any FileProviderBasic, didSucceed operation: FileOperationType)

    /// An operation failed or was cancelled.
    ///
    /// - Parameters:
    ///   - provider: Where.
    ///   - operation: The operation that failed.
    ///   - error: Why not; `CocoaError.userCancelled` when it was cancelled.
    func fileProvider(_ provider: any FileProviderBasic, didFail operation: FileOperationType, error: any Error)

    /// An operation proceeds.
    ///
    /// - Parameters:
    ///   - provider: Where.
    ///   - operation: The operation that is under way.
    ///   - progress: The part that is done, from 0 to 1; it never goes back.
    func fileProvider(_ provider: any FileProviderBasic, operation: FileOperationType, progress: Double)
}

extension FileProviderDelegate {
    /// Does nothing.
    public func fileProvider(
        _ provider: any FileProviderBasic,
        operation: FileOperationType,
        progress: Double
    ) {}
}

/// Decides, item by item, what an operation of the completion-handler forms may touch.
///
/// Called on ``FileProviderEnvironment/callbackQueue``, which is the main queue on Apple's systems unless another was given;
/// the operation waits for the answer. A folder is asked about before what
/// is in it.
public protocol FileOperationDelegate: AnyObject, Sendable {
    /// Returns whether to go on with this single item.
    ///
    /// - Parameters:
    ///   - provider: Where.
    ///   - operation: The operation that is about to be done, with this item's own paths.
    /// - Returns: `false` to leave the item, and all below it, as it is.
    func fileProvider(_ provider: any FileProviderBasic, shouldOperate operation: FileOperationType) -> Bool

    /// Returns whether to go on with the other items after this one failed.
    ///
    /// - Parameters:
    ///   - provider: Where.
    ///   - error: The error.
    ///   - operation: The operation that failed, with this item's own paths.
    /// - Returns: `true` to go on; `false` ends the operation with the error.
    func fileProvider(
        _ provider: any FileProviderBasic,
        shouldProceedAfterError error: any Error,
        operation: FileOperationType
    ) -> Bool
}
