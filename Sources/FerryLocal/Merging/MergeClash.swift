import FerryCore
import Foundation

/// Looks, before a folder is merged into another, for items that can't take each other's place: a folder and a file.
///
/// So a merge that must fail fails before it has done anything, unless somebody else changes the folders meanwhile.
struct MergeClash {
    let targetPath: ItemPath
    let job: Job

    private struct Level {
        let path: ItemPath
        var below = RawNames()
    }

    /// Compares all that both folders have.
    ///
    /// - Parameters:
    ///   - source: The folder that is to be merged.
    ///   - target: The folder that is to hold both.
    /// - Throws: `CocoaError.fileWriteFileExists` that names the first item in the way.
    func requireNone(_ source: Place, _ target: Place) throws {
        do {
            var sources = FolderStack(source.folder, try source.folder.status().identity)
            var targets = FolderStack(target.folder, try target.folder.status().identity)
            var levels = [try enter(source.name, target.name, targetPath, &sources, &targets)]
            while let index = levels.indices.last {
                try job.check()
                if let name = levels[index].below.popLast() {
                    let path = levels[index].path.appending(name.text)
                    levels.append(try enter(name, name, path, &sources, &targets))
                } else {
                    levels.removeLast()
                    try sources.pop()
                    try targets.pop()
                }
            }
        } catch let error as Errno {
            throw error.mapped(.naming, targetPath)
        }
    }

    private func enter(
        _ source: RawName,
        _ target: RawName,
        _ path: ItemPath,
        _ sources: inout FolderStack,
        _ targets: inout FolderStack
    ) throws -> Level {
        let from = try sources.top.openFolder(source)
        let into = try targets.top.openFolder(target)
        var level = Level(path: path)
        let entries = EntryReader(from)
        while let entry = try entries.next() {
            guard let existing = try into.statusIfExists(of: entry.name),
                let status = try from.statusIfExists(of: entry.name)
            else { continue }
            guard existing.isFolder == status.isFolder else {
                throw CocoaError.itemExists(path.appending(RawName(entry.name).text))
            }
            if status.isFolder { level.below.append(entry.name) }
        }
        sources.push(from, try from.status().identity)
        targets.push(into, try into.status().identity)
        return level
    }
}
