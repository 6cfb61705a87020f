import ArgumentParser
import FerryCore
import Foundation

/// `ferry mkdir`: new folders.
struct MakeFolderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mkdir",
        abstract: "Make folders.",
        discussion: """
            EXAMPLES
              ferry mkdir photos
              ferry mkdir -p photos/2026/06     with the folders above, or as they are
            """
    )

    @Argument(help: .location("The folder to make."), completion: .directory)
    var locations: [String]

    @Flag(name: [.customShort("p"), .customLong("parents")], help: "Make the folders above it, too.")
    var parents = false

    func run() async throws {
        try await Session.run(recording: true) { session in
            try await session.forEach(locations) { location in
                if location.path.isRoot {
                    if parents { return }
                    throw CocoaError.itemExists(location.path)
                }
                await session.changes(location)
                let missing = parents ? try await missingFolders(above: location) : []
                do {
                    try await location.storage.create(
                        folder: location.path.lastName,
                        at: location.path.parent,
                        creatingParents: parents
                    )
                } catch let error as CocoaError where parents && !Session.isEnd(error) {
                    session.report(error, [location])
                    try await tellFolder(among: missing, of: location, session)
                }
            }
        }
    }

    /// Returns the folders above a place that are known to be missing, the deepest first.
    private func missingFolders(above location: Location) async throws -> [ItemPath] {
        var missing: [ItemPath] = []
        var folder = location.path.parent
        while !folder.isRoot {
            do {
                guard try await location.storage.attributesIfExists(path: folder) == nil else { break }
            } catch is CocoaError {
                // A folder that can't be looked at may be there.
                break
            }
            missing.append(folder)
            folder = folder.parent
        }
        return missing
    }

    /// Says which of the folders that were missing is there now, and empty: what was made before something failed stays.
    private func tellFolder(among folders: [ItemPath], of location: Location, _ session: Session) async throws {
        for folder in folders {
            do {
                for try await page in location.storage.directoryListing(path: folder) where !page.isEmpty { return }
                let text = location.display(folder)
                return session.console.tell(TerminalText.oneLine("ferry: note: \(text) is there, empty, and stays"))
            } catch let error as CocoaError where error.meansNoFolder {
                // The one above may have been made.
                continue
            }
        }
    }
}

extension CocoaError {
    /// Indicates whether nothing is at a path, or no folder.
    fileprivate var meansNoFolder: Bool {
        code == .fileNoSuchFile || (userInfo[NSUnderlyingErrorKey] as? POSIXError)?.code == .ENOTDIR
    }
}
