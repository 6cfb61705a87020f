import FerryCore
import Foundation

/// The removals in a folder that only the target has: all of it at once, unless something in it is to be left alone.
struct ExtraTree: Sendable {
    /// The findings.
    struct Survey: Sendable {
        /// The removals, those in a folder before the folder's own.
        var removals: [TransferAction] = []
        /// Items to be removed, those below folders included.
        var removed = 0
        /// Items in all.
        var found = 0
        /// Indicates whether nothing is left when that is done.
        var isClear = true
        /// Folders of which all that is listed goes, and which stay all the same.
        var left: [TransferAction] = []
    }

    let target: TransferPlace
    let filter: TransferFilter
    let names: NameTranslation

    /// Indicates whether every single item is named, for plans that people look at, and that may be old when they are
    /// done.
    let namesAll: Bool

    let retryState: RetryState

    /// A folder that only the target has.
    private struct Folder: Sendable {
        let item: FileObject
        /// From the top of the transfer.
        let path: ItemPath
        /// The same, by the names that filters are about.
        let plainPath: ItemPath
        /// How deep it is in the folder that was asked about first.
        var depth = 0
    }

    /// Listings of one tree at the same time, at most.
    private static let mostListings = 4

    /// Looks at a folder.
    ///
    /// - Parameters:
    ///   - item: The folder.
    ///   - path: Its path from the top of the transfer.
    ///   - plainPath: The same, by the names that filters are about.
    /// - Returns: The survey of what to remove.
    /// - Throws: When any folder below can't be listed.
    func survey(_ item: FileObject, at path: ItemPath, plainPath: ItemPath) async throws -> Survey {
        let top = Folder(item: item, path: path, plainPath: plainPath)
        return survey(top, in: try await list(top))
    }

    /// Returns what is in a folder, and in all folders below that the transfer is about, by their paths.
    private func list(_ top: Folder) async throws -> [ItemPath: [FileObject]] {
        let most = max(1, min(Self.mostListings, target.storage.capabilities.recommendedConcurrency))
        return try await withThrowingTaskGroup(of: (Folder, [FileObject]).self) { group in
            var members: [ItemPath: [FileObject]] = [:]
            var waiting = [top]
            var running = 0
            while true {
                while running < most, let folder = waiting.popLast() {
                    guard folder.depth < TransferFolder.deepest else {
                        let words = "the folder contains itself"
                        throw CocoaError.file(.fileReadUnknown, path: folder.item.path, description: words)
                    }
                    running += 1
                    group.addTask {
                        let items = try await retryState.retrying {
                            try await target.storage.contentsOfDirectory(path: target.path(folder.path))
                        }
                        return (folder, items)
                    }
                }
                guard let (folder, items) = try await group.next() else { return members }
                running -= 1
                members[folder.path] = items
                for item in items where item.isDirectory {
                    if let below = meant(item, in: folder) { waiting.append(below) }
                }
            }
        }
    }

    /// An item by its paths; `nil` if the transfer is not about it.
    private func meant(_ item: FileObject, in folder: Folder) -> Folder? {
        let plainPath = folder.plainPath.appending(names.plain(atTarget: item.name))
        guard filter.includes(item, at: plainPath) else { return nil }
        let path = folder.path.appending(item.name)
        return Folder(item: item, path: path, plainPath: plainPath, depth: folder.depth + 1)
    }

    private func survey(_ folder: Folder, in members: [ItemPath: [FileObject]]) -> Survey {
        var survey = Survey(found: 1)
        // Items that are never listed would go with the folder, though a filter may be about them, and no plan has
        // named them.
        let isSeen = target.storage.capabilities.listsDotNames || (filter.isEmpty && !namesAll)
        survey.isClear = isSeen
        var isEmptied = true
        for member in members[folder.path] ?? [] {
            guard let item = meant(member, in: folder) else {
                survey.found += 1
                survey.isClear = false
                isEmptied = false
                continue
            }
            guard member.isDirectory else {
                survey.found += 1
                survey.removed += 1
                survey.removals.append(TransferAction(.remove, item.path, .extra, target: member))
                continue
            }
            let below = self.survey(item, in: members)
            survey.found += below.found
            survey.removed += below.removed
            survey.removals += below.removals
            survey.left += below.left
            survey.isClear = survey.isClear && below.isClear
            isEmptied = isEmptied && (below.isClear || !below.left.isEmpty)
        }
        if !isSeen, isEmptied { survey.left.append(TransferAction(.skip, folder.path, .hidden, target: folder.item)) }
        if survey.isClear {
            let removal = TransferAction(.remove, folder.path, .extra, target: folder.item)
            survey.removals = namesAll ? survey.removals + [removal] : [removal]
            survey.removed += 1
        }
        return survey
    }
}
