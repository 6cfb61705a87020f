public import FerryCore
public import Foundation

extension LocalFileProvider {
    /// Removes an item, a folder with all below it; of a link the link, never what it leads to.
    ///
    /// - Parameters:
    ///   - path: The item; never the root.
    ///   - progress: Items.
    /// - Throws: `CocoaError.fileNoSuchFile`, `.fileWriteNoPermission` (also for the root). What was not removed when an
    ///   error came stays as it is.
    public func removeItem(path: ItemPath, reporting progress: Progress?) async throws {
        try await removeItem(path: path, reporting: progress, onError: nil)
    }

    /// Removes an item with all below it, and may go on after errors.
    ///
    /// - Parameters:
    ///   - path: The item; never the root.
    ///   - progress: Items.
    ///   - onError: Called with the item that could not be removed, and the error; returns `true` to go on.
    /// - Throws: As ``removeItem(path:reporting:)``, for an error that `onError` did not go on after.
    public func removeItem(
        path: ItemPath,
        reporting progress: Progress?,
        onError: (@Sendable (ItemPath, any Error) -> Bool)?
    ) async throws {
        let job = Job(reporting: progress, onError: onError)
        try await run(job, writing: [path]) { [base] in
            if path.isRoot { throw CocoaError.baseFolder(path) }
            let place = try mapping(.writing, path) { try base.place(of: path) }
            try TreeRemover(path: path, job: job).remove(place)
            job.finish()
        }
    }
}
