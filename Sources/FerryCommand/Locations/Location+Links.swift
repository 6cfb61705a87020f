import FerryCore
import Foundation

extension Location {
    /// Returns what the storage knows about the item; of a link, about the link, unless a folder was demanded.
    ///
    /// - Returns: The item, and where it is: elsewhere if a folder was demanded and a link leads to it.
    /// - Throws: `notAFolder` when a folder was demanded (`x/`) and something else is there.
    func resolved() async throws -> (location: Location, item: FileObject) {
        let item = try await storage.attributesOfItem(path: path)
        guard demandsFolder, !item.isDirectory else { return (self, item) }
        if item.isSymbolicLink, case let target = try await following(), target.item.isDirectory { return target }
        throw CocoaError.notAFolder(path)
    }

    /// Returns what is there, or `nil` if nothing is.
    func attributesIfExists() async throws -> FileObject? {
        do {
            return try await resolved().item
        } catch let error as CocoaError where error.code == .fileNoSuchFile {
            return nil
        }
    }

    /// Where a link leads in the end: to something that is no link.
    ///
    /// - Returns: The item itself if it is no link; the text stays what the person wrote.
    /// - Throws: `CocoaError.fileNoSuchFile` when the link leads nowhere.
    func following() async throws -> (location: Location, item: FileObject) {
        var place = path
        for _ in 0..<40 {
            let item = try await storage.attributesOfItem(path: place)
            guard item.isSymbolicLink else { return (replacing(path: place), item) }
            if isLocal {
                place = try LocalPaths.resolvingLinks(place)
                continue
            }
            guard let links = storage as? any FileProviderSymbolicLink else { break }
            let destination = try await links.destination(ofSymbolicLink: place)
            let start = destination.utf8.first == UInt8(ascii: "/") ? "" : place.parent.string + "/"
            place = try ItemPath(parsing: start + destination)
        }
        throw CocoaError.file(.fileReadUnknown, path: path, description: "the symbolic link leads to itself")
    }

    /// The same place by a way without links: two ways to one folder are then one path.
    ///
    /// - Returns: On this machine, what all folders above are in the end, as far as they exist; elsewhere the same.
    /// - Throws: `CocoaError` if something above is no folder, or can't be looked at.
    func withoutLinksAbove() throws -> Location {
        guard isLocal, !path.isRoot, !path.beginsWithIdentifier else { return self }
        var folder = path.parent
        var names = [path.lastName]
        while true {
            do {
                let real = try LocalPaths.resolvingLinks(folder)
                return replacing(path: names.reversed().reduce(real) { $0.appending($1) })
            } catch let error as CocoaError where error.code == .fileNoSuchFile && !folder.isRoot {
                names.append(folder.lastName)
                folder = folder.parent
            }
        }
    }
}
