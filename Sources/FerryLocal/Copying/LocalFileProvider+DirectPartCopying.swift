package import FerryCore
package import Foundation

extension LocalFileProvider: FileProviderDirectPartCopying {
    package func folderRecord(path: ItemPath) -> PartialWrite { PartialFolder.record(path) }

    package func copyFolder(
        path: ItemPath,
        of source: any FileProviderBasic,
        as write: PartialWrite,
        noting note: (@Sendable () -> Void)?,
        leavingOut largest: Int64,
        reporting progress: Progress?,
        onError: (@Sendable (ItemPath, any Error) -> Bool)?
    ) async throws -> (copied: CopiedItems, left: [ItemPath]) {
        let job = Job(reporting: progress, largest: largest, onError: onError)
        let original = try requireLocal(source, write.path)
        try await copy(
            (base(of: original), path),
            to: (base, write.path),
            overwrite: false,
            job: job,
            partial: try PartialFolder(write, noting: note)
        )
        return (job.copied, job.leftOut)
    }

    package func copyPart(
        of write: PartialWrite,
        from path: ItemPath,
        of source: any FileProviderBasic,
        range: Range<Int64>
    ) async throws -> FileObject {
        let original = try requireLocal(source, path)
        return try await original.run(reading: [path]) { [base] in
            let (file, status) = try Self.open(path, in: original.base)
            let part = try PartialFile(write, in: base)
            guard range.lowerBound >= 0, range.upperBound <= min(write.length, status.size) else {
                throw URLError.wrongLength(expected: range.upperBound, received: status.size)
            }
            try part.copy(range, of: file, status, path: path)
            return FileObject(name: path.lastName, in: path.parent, status: status)
        }
    }

    package func finishPartialWrite(
        _ write: PartialWrite,
        like path: ItemPath,
        of source: any FileProviderBasic,
        options: WriteOptions
    ) async throws -> FileObject {
        let original = try requireLocal(source, path)
        var options = options
        options.synchronizes = options.synchronizes || synchronizes
        return try await run(writing: [write.path]) { [base, options] in
            let (file, status) = try Self.open(path, in: original.base)
            return try PartialFile(write, in: base).finish(options, like: (file, status))
        }
    }

    private static func open(_ path: ItemPath, in base: BaseFolder) throws -> (Descriptor, FileStatus) {
        try mapping(.reading, path) {
            let place = try base.place(of: path)
            let file = try ItemCopier.openSource(place.name, in: place.folder)
            let status = try file.status()
            guard status.isFile else { throw Errno(ESTALE) }
            return (file, status)
        }
    }
}
