public import FerryCore
public import Foundation

extension LocalFileProvider: FileProviderDirectCopying {
    /// Whether the source is a folder of this machine too.
    ///
    /// - Parameter source: The other storage, or this one.
    /// - Returns: `false` for everything else, and for what is wrapped around one.
    public func canCopy(from source: any FileProviderBasic) -> Bool { source is LocalFileProvider }

    /// Copies an item with all below it from another folder of this machine, as within one.
    ///
    /// - Parameters:
    ///   - path: The item in the source, of a link the link itself.
    ///   - source: Another `LocalFileProvider`, or this one.
    ///   - target: The copy's path here, name included.
    ///   - overwrite: Whether a file there may be replaced, or a folder merged into.
    ///   - progress: Bytes.
    ///   - onError: Decides whether to go on after an item failed.
    /// - Returns: What was copied.
    /// - Throws: See the rules of `FileProviderOperations`; `CocoaError.featureUnsupported` for another storage.
    public func copyItem(
        path: ItemPath,
        of source: any FileProviderBasic,
        to target: ItemPath,
        overwrite: Bool,
        reporting progress: Progress?,
        onError: (@Sendable (ItemPath, any Error) -> Bool)?
    ) async throws -> CopiedItems {
        try await copyItem(
            path: path,
            of: source,
            to: target,
            overwrite: overwrite,
            job: Job(reporting: progress, onError: onError)
        )
    }

    func copyItem(
        path: ItemPath,
        of source: any FileProviderBasic,
        to target: ItemPath,
        overwrite: Bool,
        job: Job
    ) async throws -> CopiedItems {
        guard let source = source as? LocalFileProvider else {
            throw CocoaError.unsupported("copying straight from another kind of storage", path: target)
        }
        // Paths of one folder by two objects are still paths of one folder: then links can't hide that they are the same.
        let from = source.base.path == base.path ? base : source.base
        try await copy((from, path), to: (base, target), overwrite: overwrite, job: job)
        return job.copied
    }
}
