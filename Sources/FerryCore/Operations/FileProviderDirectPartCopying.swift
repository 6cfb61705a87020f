package import Foundation

/// A storage that takes a large file straight from another of its kind in parts, so that what an earlier process has
/// copied need not be copied again.
package protocol FileProviderDirectPartCopying: FileProviderDirectCopying, FileProviderPartialWriting {
    /// Copies an item with all below it, and leaves out large files in it.
    ///
    /// - Parameters:
    ///   - path: The item, of a link the link itself.
    ///   - source: A storage that ``FileProviderDirectCopying/canCopy(from:)`` says yes to.
    ///   - target: The copy's path here, name included.
    ///   - overwrite: Whether a file there may be replaced, or a folder merged into.
    ///   - largest: Bytes that a file may have to be copied with the others; one that has several names always is.
    ///   - progress: Bytes, without those of what is left out.
    ///   - onError: As with ``FileProviderDirectCopying/copyItem(path:of:to:overwrite:reporting:onError:)``.
    /// - Returns: What was copied; and the paths in the source of what was left out.
    /// - Throws: As ``FileProviderDirectCopying/copyItem(path:of:to:overwrite:reporting:onError:)``.
    func copyItem(
        path: ItemPath,
        of source: any FileProviderBasic,
        to target: ItemPath,
        overwrite: Bool,
        leavingOut largest: Int64,
        reporting progress: Progress?,
        onError: (@Sendable (ItemPath, any Error) -> Bool)?
    ) async throws -> (copied: CopiedItems, left: [ItemPath])

    /// Copies a part of a file.
    ///
    /// - Parameters:
    ///   - write: What was begun here.
    ///   - path: The file in the source.
    ///   - source: A storage that ``FileProviderDirectCopying/canCopy(from:)`` says yes to.
    ///   - range: Which bytes; to the same place here.
    /// - Returns: What the file is that was read.
    /// - Throws: ``PartialWriteLostError``; `CocoaError.fileNoSuchFile`, `.fileWriteOutOfSpace`;
    ///   `URLError.wrongLength(expected:received:)` where the source is shorter.
    func copyPart(
        of write: PartialWrite,
        from path: ItemPath,
        of source: any FileProviderBasic,
        range: Range<Int64>
    ) async throws -> FileObject

    /// Gives a file its name, with all that its original has besides its content.
    ///
    /// - Parameters:
    ///   - write: What was begun here; all of its bytes were copied.
    ///   - path: The original.
    ///   - source: Where it is.
    ///   - options: Whether to replace, on which condition.
    /// - Returns: The file as it is now.
    /// - Throws: As ``FileProviderPartialWriting/finishPartialWrite(_:options:)``.
    func finishPartialWrite(
        _ write: PartialWrite,
        like path: ItemPath,
        of source: any FileProviderBasic,
        options: WriteOptions
    ) async throws -> FileObject
}
