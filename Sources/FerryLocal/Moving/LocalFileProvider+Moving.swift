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
}
