public import FerryCore
public import Foundation

extension LocalFileProvider: FileProviderDirectCopying {
    /// Returns whether the source is a folder of this machine too.
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
    ///   - overwrite: `true` if a file there may be replaced, or a folder merged into.
    ///   - progress: Bytes.
    ///   - onError: Decides whether to go on after an item failed.
    /// - Returns: The counts of copied items.
    /// - Throws: See the rules of `FileProviderOperations`; `CocoaError.featureUnsupported` for another storage.
    public func copyItem(
        path: ItemPath,
        of source: any FileProviderBasic,
        to target: ItemPath,
        overwrite: Bool,
        reporting progress: Progress?,
        onError: (@Sendable (ItemPath, any Error) -> Bool)?
    ) async throws -> CopiedItems {
        let original = try requireLocal(source, target)
        let job = Job(reporting: progress, onError: onError)
        try await copy(
            (base(of: original), path),
            to: (base, target),
            overwrite: overwrite,
            job: job
        )
        return job.copied
    }

    /// Where another provider's paths begin.
    ///
    /// Paths of one folder by two objects are still paths of one folder: then links can't hide that they are the same.
    func base(of source: LocalFileProvider) -> BaseFolder { source.base.path == base.path ? base : source.base }

    /// The other storage, if it is of our kind.
    ///
    /// - Parameters:
    ///   - source: The other storage, or this one.
    ///   - path: The item concerned, for the error.
    /// - Returns: The storage.
    /// - Throws: `CocoaError.featureUnsupported`.
    func requireLocal(_ source: any FileProviderBasic, _ path: ItemPath) throws -> LocalFileProvider {
        guard let source = source as? LocalFileProvider else {
            throw CocoaError.unsupported("copying straight from another kind of storage", path: path)
        }
        return source
    }
}
