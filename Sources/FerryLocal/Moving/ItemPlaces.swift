import FerryCore
import Foundation

/// Source and target of a copy or a move, with what is there: looked up, and checked, before anything is done.
struct ItemPlaces {
    let source: Place
    let sourcePath: ItemPath
    let status: FileStatus
    let target: Place
    let targetPath: ItemPath
    /// The item that has the target's name already.
    let existing: FileStatus?

    /// Looks both up.
    ///
    /// - Parameters:
    ///   - source: The item, and the base that its path begins at.
    ///   - target: Where to put it.
    /// - Throws: `CocoaError.fileNoSuchFile` for the source, or for the target's folder; `CocoaError.sameItem(_:)` where
    ///   both paths are equal; `CocoaError.intoItself(_:target:)`.
    init(
        _ source: (base: BaseFolder, path: ItemPath),
        _ target: (base: BaseFolder, path: ItemPath)
    ) throws {
        sourcePath = source.path
        targetPath = target.path
        do {
            self.source = try source.base.place(of: source.path)
            status = try self.source.status()
        } catch {
            throw error.mapped(.reading, source.path)
        }
        let isSameBase = source.base === target.base
        if isSameBase && source.path == target.path { throw CocoaError.sameItem(source.path) }
        if isSameBase && status.isFolder && target.path.isBelow(source.path) {
            throw CocoaError.intoItself(source.path, target: target.path)
        }
        self.target = try target.base.placeToCreate(target.path)
        do {
            existing = try self.target.statusIfExists()
        } catch {
            throw error.mapped(.naming, target.path)
        }
        try requireOutside()
    }

    /// Takes what is known already.
    init(
        source: Place,
        sourcePath: ItemPath,
        target: Place,
        targetPath: ItemPath,
        status: FileStatus,
        existing: FileStatus?
    ) {
        self.source = source
        self.sourcePath = sourcePath
        self.target = target
        self.targetPath = targetPath
        self.status = status
        self.existing = existing
    }

    /// Indicates whether the target is the source itself, by another path or another of its names.
    var isSame: Bool { existing?.identity == status.identity }

    /// Neither may hold the other; links may have hidden that one does.
    private func requireOutside() throws {
        if status.isFolder, try isBelow(status.identity, target.folder) {
            throw CocoaError.intoItself(sourcePath, target: targetPath)
        }
        if let existing, existing.isFolder, try isBelow(existing.identity, source.folder) {
            throw CocoaError.itemExists(targetPath)
        }
    }

    /// Climbs up from a folder, and tells whether it is, or is below, another.
    private func isBelow(_ other: FileIdentity, _ folder: Descriptor) throws -> Bool {
        do {
            var folder = folder
            var identity = try folder.status().identity
            while identity != other {
                folder = try folder.above(pathOnly: true)
                let above = try folder.status().identity
                if above == identity { return false }  // the top of the system
                identity = above
            }
            return true
        } catch {
            throw error.mapped(.naming, targetPath)
        }
    }
}

extension BaseFolder {
    /// The place of an item that is to be created.
    ///
    /// - Parameter path: Where it will be.
    /// - Returns: The place; the name is `.` for the base folder itself.
    /// - Throws: `CocoaError.fileNoSuchFile` that names its folder, if that is missing;
    ///   `CocoaError.notAFolder(_:whileWriting:)` if that is something else.
    func placeToCreate(_ path: ItemPath) throws -> Place {
        do {
            return try place(of: path)
        } catch {
            throw folderError(error, path)
        }
    }

    /// The error for what keeps us from a place's folder.
    func folderError(_ error: Errno, _ path: ItemPath) -> any Error {
        switch error.code {
        case ENOENT: CocoaError.noSuchItem(path.parent, underlying: error.underlying)
        case ENOTDIR where exists(path.parent): CocoaError.notAFolder(path.parent, whileWriting: true)
        case ENOTDIR: CocoaError.noSuchItem(path.parent, underlying: error.underlying)
        default: error.mapped(.naming, path)
        }
    }

    /// Returns whether anything is there, at the end of all links.
    func exists(_ path: ItemPath) -> Bool {
        (try? open(path, openPathOnly)) != nil
    }
}
