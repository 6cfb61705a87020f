public import FerryCore
import Foundation

extension LocalFileProvider {
    /// Makes a folder.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - parent: The folder that will hold it.
    ///   - creatingParents: `true` to make `parent` and what is missing above it; then it is no error either if the
    ///     folder exists already.
    /// - Throws: `CocoaError.fileWriteFileExists` if anything has that name; `.fileNoSuchFile` without a parent.
    public func create(folder name: String, at parent: ItemPath, creatingParents: Bool) async throws {
        let path = parent.appending(name)
        try await runBriefly(writing: [path]) { [base] in
            if creatingParents {
                try Self.createFolders(path, in: base)
            } else {
                let place = try base.placeToCreate(path)
                if path.isRoot { throw CocoaError.itemExists(path) }
                try mapping(.naming, path) { try place.folder.createFolder(place.name, mode: 0o777) }
            }
        }
    }

    /// Makes what is missing on the way, from the top; only folders, and links to folders, may be there already.
    private static func createFolders(_ path: ItemPath, in base: BaseFolder) throws {
        var missing: [ItemPath] = []
        var above = path
        while try !isFolder(above, onTheWayTo: path, in: base) {
            missing.append(above)
            if above.isRoot { throw CocoaError.noSuchItem(above) }
            above = above.parent
        }
        for folder in missing.reversed() {
            do {
                let place = try base.place(of: folder)
                try place.folder.createFolder(place.name, mode: 0o777)
            } catch {
                // Somebody else may have made it meanwhile.
                if error.code == EEXIST, try isFolder(folder, onTheWayTo: path, in: base) { continue }
                throw error.mapped(.naming, folder)
            }
        }
    }

    /// Returns whether a folder is there, or a link to one; `false` if nothing is.
    private static func isFolder(_ path: ItemPath, onTheWayTo target: ItemPath, in base: BaseFolder) throws -> Bool {
        do {
            _ = try base.open(path, openPathOnly | O_DIRECTORY)
            return true
        } catch let error where error.code == ENOENT {
            return false
        } catch let error where error.code == ENOTDIR {
            if path != target, base.exists(path) { throw CocoaError.notAFolder(path, whileWriting: true) }
            if (try? base.place(of: path).status()) != nil { throw CocoaError.itemExists(path) }
            // Of `/file/x`, the file will be met further up.
            return false
        } catch {
            throw error.mapped(.naming, path)
        }
    }
}
