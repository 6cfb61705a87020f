public import FerryCore
public import Foundation

extension LocalFileProvider {
    /// Moves an item with all below it: in one step on the same file system, else by copying and then removing.
    ///
    /// - Parameters:
    ///   - path: The item; of a link, the link itself.
    ///   - target: Its new path, name included.
    ///   - overwrite: Whether a file there may be replaced, or a folder merged into.
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

    /// Whether an item is on another file system than a folder, so that moving it there is copying and removing it.
    ///
    /// - Parameters:
    ///   - path: The item; of a link, the link itself.
    ///   - folder: The folder.
    /// - Returns: Whether it is; `false` says nothing about mounts of one file system at several places.
    /// - Throws: What keeps us from looking.
    package func isOnOtherDisk(_ path: ItemPath, than folder: ItemPath) async throws -> Bool {
        try await run(reading: [path, folder]) { [base] in
            let item = try mapping(.reading, path) { try base.place(of: path).status() }
            let other = try mapping(.reading, folder) { try base.open(folder, openPathOnly | O_DIRECTORY).status() }
            return item.identity.device != other.identity.device
        }
    }

    /// Removes an item with all below it that was copied to another disk, but nothing that has changed meanwhile.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - date: When the copying began.
    /// - Throws: As ``removeItem(path:reporting:)``; when something has changed, and then that stays with the rest.
    package func removeMovedItem(path: ItemPath, unchangedSince date: Date) async throws {
        try await run(Job(), writing: [path]) { [base] in
            let place = try mapping(.writing, path) { try base.place(of: path) }
            try TreeRemover.removeMoved(place, path: path, unchangedSince: timespec(date))
        }
    }
}
