public import FerryCore
public import Foundation

extension LocalFileProvider {
    /// Moves an item with all below it: in one step on the same file system, else by copying and then removing.
    ///
    /// - Parameters:
    ///   - path: The item; of a link, the link itself.
    ///   - target: Its new path, name included.
    ///   - overwrite: `true` if a file there may be replaced, or a folder merged into.
    ///   - progress: 1 unit for a rename, bytes if content must be copied.
    /// - Throws: See the protocol's rules.
    public func moveItem(
        path: ItemPath,
        to target: ItemPath,
        overwrite: Bool,
        reporting progress: Progress?
    ) async throws {
        let job = Job(reporting: progress)
        try await run(job, writing: [path, target]) { [base, pool] in
            let places = try ItemPlaces((base, path), (base, target))
            try MoveOperation(places: places, overwrite: overwrite, job: job, pool: pool).run()
        }
    }

    /// Returns whether a folder is on another file system than the one that holds an item, so that moving the item
    /// there is copying and removing it.
    ///
    /// - Parameters:
    ///   - path: The item; of a link, the link itself.
    ///   - folder: The folder.
    /// - Returns: `true` if it is; `false` says nothing about mounts of one file system at several places.
    /// - Throws: An error if the storage can't be examined.
    package func isOnOtherDisk(_ path: ItemPath, than folder: ItemPath) async throws -> Bool {
        try await run(reading: [path, folder]) { [base] in
            let holder = try mapping(.reading, path) { try base.place(of: path).folder.status() }
            let other = try mapping(.reading, folder) { try base.open(folder, openPathOnly | O_DIRECTORY).status() }
            return holder.identity.device != other.identity.device
        }
    }

    /// Removes an item with all below it that was copied to another disk; nothing that isn't in the copy as it is.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - copy: Its copy, which the disk itself holds before anything is removed.
    ///   - date: When the copying began: files that were touched since are compared byte by byte.
    /// - Throws: ``CopyNotHeldError``, and then nothing is removed; why something stays, of the first such item, and then all
    ///   else is removed all the same; `CancellationError`, between two items.
    package func removeOriginal(path: ItemPath, copiedTo copy: ItemPath, since date: Date) async throws {
        let job = Job()
        try await run(job, writing: [path]) { [base] in
            let original = try mapping(.writing, path) { try base.place(of: path) }
            let place = try mapping(.reading, copy) { try base.place(of: copy) }
            do throws(Errno) {
                try place.folder.synchronizeFileSystem()
            } catch {
                throw CopyNotHeldError(reason: CocoaError.notHeld(copy, error))
            }
            var remover = OriginalsRemover(paths: (path, copy), begun: timespec(date))
            remover.job = job
            try remover.remove(original, nil, copiedTo: place)
        }
    }
}

/// The copy has not come to the disk: asked once more, the system may say that all is well.
package struct CopyNotHeldError: Error {
    /// The error to show to a person.
    package let reason: any Error
}
