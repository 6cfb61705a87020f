/// A storage that tells when something changes.
///
/// `registerNotification(path:eventHandler:)` and its sisters follow from ``changes(under:)``.
public protocol FileProviderMonitor: FileProviderBasic {
    /// Watches an item and all below it.
    ///
    /// Everything that happens after this method has returned is reported.
    ///
    /// - Parameter path: The item to watch; it must exist.
    /// - Returns: The changes as they happen.
    /// - Throws: `CocoaError.fileNoSuchFile`; what keeps the storage from watching.
    func changes(under path: ItemPath) async throws -> FileChanges
}
