import FerryCore
import Foundation

/// What to remove of a folder that only the target has: all of it at once, unless something in it is to be left alone.
struct ExtraTree: Sendable {
    /// What was found.
    struct Survey: Sendable {
        /// What to remove, what is in a folder before the folder.
        var removals: [TransferAction] = []
        /// Items to be removed, those below folders included.
        var removed = 0
        /// Items in all.
        var found = 0
        /// Whether nothing is left when that is done.
        var isClear = true
    }

    let target: TransferPlace
    let filter: TransferFilter
    let names: NameTranslation

    /// Whether every single item is named, for plans that people look at, and that may be old when they are done.
    let namesAll: Bool

    let patience: Patience

    /// Looks at a folder.
    ///
    /// - Parameters:
    ///   - item: The folder.
    ///   - path: Its path from the top of the transfer.
    ///   - plainPath: The same, by the names that filters are about.
    ///   - depth: How deep it is in the folder that was asked about first.
    /// - Returns: What to remove of it.
    /// - Throws: When any folder below can't be listed.
    func survey(
        _ item: FileObject,
        at path: ItemPath,
        plainPath: ItemPath,
        depth: Int = 0
    ) async throws -> Survey {
        guard depth < TransferFolder.deepest else {
            throw CocoaError.file(.fileReadUnknown, path: item.path, description: "the folder contains itself")
        }
        var survey = Survey(found: 1)
        let members = try await patience.retrying {
            try await target.storage.contentsOfDirectory(path: target.path(path))
        }
        for member in members {
            let place = path.appending(member.name)
            let plainPlace = plainPath.appending(names.plain(atTarget: member.name))
            guard filter.includes(member, at: plainPlace) else {
                survey.found += 1
                survey.isClear = false
                continue
            }
            guard member.isDirectory else {
                survey.found += 1
                survey.removed += 1
                survey.removals.append(TransferAction(.remove, place, .extra, target: member))
                continue
            }
            let below = try await self.survey(member, at: place, plainPath: plainPlace, depth: depth + 1)
            survey.found += below.found
            survey.removed += below.removed
            survey.removals += below.removals
            survey.isClear = survey.isClear && below.isClear
        }
        if survey.isClear {
            let removal = TransferAction(.remove, path, .extra, target: item)
            survey.removals = namesAll ? survey.removals + [removal] : [removal]
            survey.removed += 1
        }
        return survey
    }
}
