import FerryCore
import Foundation

/// What to remove of a folder that only the target has: all of it at once, unless something in it is to be left alone.
struct ExtraTree: Sendable {
    /// Deeper than any real tree: then a listing contains itself.
    private static let deepest = 1_000

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

    let storage: any FileProviderBasic
    let top: ItemPath
    let filter: TransferFilter

    /// Looks at a folder.
    ///
    /// - Parameters:
    ///   - item: The folder.
    ///   - path: Its path from the top of the transfer.
    ///   - depth: How deep it is in the folder that was asked about first.
    /// - Returns: What to remove of it.
    /// - Throws: When any folder below can't be listed.
    func survey(_ item: FileObject, at path: ItemPath, depth: Int = 0) async throws -> Survey {
        guard depth < Self.deepest else {
            throw CocoaError.file(.fileReadUnknown, path: item.path, description: "the folder contains itself")
        }
        var survey = Survey(found: 1)
        for member in try await storage.contentsOfDirectory(path: top.appending(path: path)) {
            let place = path.appending(member.name)
            guard filter.includes(member, at: place) else {
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
            let below = try await self.survey(member, at: place, depth: depth + 1)
            survey.found += below.found
            survey.removed += below.removed
            survey.removals += below.removals
            survey.isClear = survey.isClear && below.isClear
        }
        if survey.isClear {
            survey.removals = [TransferAction(.remove, path, .extra, target: item)]
            survey.removed += 1
        }
        return survey
    }
}
