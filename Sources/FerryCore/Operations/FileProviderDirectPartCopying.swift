package import Foundation

/// A storage that takes folders and large files straight from another of its kind, so that what an earlier process has
/// copied need not be copied again.
package protocol FileProviderDirectPartCopying: FileProviderDirectCopying, FileProviderPartialWriting {
    /// Returns what will lead back to a folder that is about to be copied with all below it.
    ///
    /// - Parameter path: The folder that it will be.
    /// - Returns: The record, which ``FileProviderPartialWriting/discardPartialWrite(_:)`` takes too.
    func folderRecord(path: ItemPath) -> PartialWrite

    /// Copies a folder with all below it, and leaves out large files in it. It appears when all is there.
    ///
    /// A noted copy stays until then, whatever happens: copied again with the same record, what has come and is as it
    /// was in the source is not copied again, and counts as progress, but not as copied.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - source: A storage that ``FileProviderDirectCopying/canCopy(from:)`` says yes to.
    ///   - write: The record that leads back to it, of this run or of an earlier one.
    ///   - note: Called before anything is made if it is worth remembering, from a thread that may wait; what is small is
    ///     gone if it doesn't come to its end. `nil` for what was noted before.
    ///   - largest: Bytes that a file may have to be copied with the others; one that has several names always is.
    ///   - progress: Bytes, without those of what is left out.
    ///   - onError: As with ``FileProviderDirectCopying/copyItem(path:of:to:overwrite:reporting:onError:)``.
    /// - Returns: The counts of copied items; and the paths in the source of what was left out.
    /// - Throws: As ``FileProviderDirectCopying/copyItem(path:of:to:overwrite:reporting:onError:)`` without overwriting.
    func copyFolder(
        path: ItemPath,
        of source: any FileProviderBasic,
        as write: PartialWrite,
        noting note: (@Sendable () -> Void)?,
        leavingOut largest: Int64,
        reporting progress: Progress?,
        onError: (@Sendable (ItemPath, any Error) -> Bool)?
    ) async throws -> (copied: CopiedItems, left: [ItemPath])

    /// Copies a part of a file.
    ///
    /// - Parameters:
    ///   - write: The write that was begun here.
    ///   - path: The file in the source.
    ///   - source: A storage that ``FileProviderDirectCopying/canCopy(from:)`` says yes to.
    ///   - range: Which bytes; to the same place here.
    /// - Returns: The file that was read.
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
    ///   - write: The write that was begun here; all of its bytes were copied.
    ///   - path: The original.
    ///   - source: Where it is.
    ///   - options: The conditions for replacing a file.
    /// - Returns: The file as it is now.
    /// - Throws: As ``FileProviderPartialWriting/finishPartialWrite(_:options:)``.
    func finishPartialWrite(
        _ write: PartialWrite,
        like path: ItemPath,
        of source: any FileProviderBasic,
        options: WriteOptions
    ) async throws -> FileObject
}

extension PartialWrite {
    private static let folderKey = "folder"

    /// Indicates whether it is a folder that is copied as a whole, and no file.
    package var isFolder: Bool { values[Self.folderKey] != nil }

    /// A folder's record.
    ///
    /// - Parameters:
    ///   - folder: The folder that it will be.
    ///   - values: The values that the storage needs to find it again.
    package init(folder: ItemPath, values: [String: String]) {
        self.init(path: folder, length: 0, limits: PartialWriteLimits(), values: values)
        self.values[Self.folderKey] = "yes"
    }
}
