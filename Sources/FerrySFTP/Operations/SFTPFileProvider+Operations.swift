public import FerryCore
public import Foundation

extension SFTPFileProvider: FileProviderOperations {
    /// Makes a folder.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - parent: The folder that will hold it.
    ///   - creatingParents: Whether to make `parent` and what is missing above it.
    /// - Throws: `CocoaError.fileWriteFileExists` if anything has that name; `.fileNoSuchFile` without a parent.
    public func create(folder name: String, at parent: ItemPath, creatingParents: Bool) async throws {
        let path = parent.appending(name)
        let line = try await line()
        if name.isEmpty {
            throw CocoaError.file(.fileWriteInvalidFileName, path: parent, description: "the name is empty")
        }
        if creatingParents {
            try await requireFolder(path, line)
        } else {
            try await makeFolder(path, line)
        }
    }

    private func makeFolder(_ path: ItemPath, _ line: SFTPLine) async throws {
        let place = try line.path(path, whileWriting: true)
        do {
            try await line.connection.begin(.mkdir(place)).success()
        } catch {
            throw await line.writeError(error, path, wantsAbsence: true)
        }
    }

    /// Makes a folder and those above it, as far as they are not there yet.
    private func requireFolder(_ path: ItemPath, _ line: SFTPLine, isTop: Bool = true) async throws {
        let place = try line.path(path, whileWriting: true)
        let there: SFTPAttributes?
        do {
            there = try await line.connection.begin(.stat(place)).attributesIfThere()
        } catch {
            throw await line.writeError(error, path)
        }
        if let there {
            if there.kind ?? .directory == .directory { return }
            throw isTop ? CocoaError.itemExists(path) : .notAFolder(path, whileWriting: true)
        }
        if !path.parent.isRoot { try await requireFolder(path.parent, line, isTop: false) }
        do {
            try await makeFolder(path, line)
        } catch let error as CocoaError where error.code == .fileWriteFileExists {
            // Somebody else was first.
            guard try await line.connection.begin(.stat(place)).attributesIfThere()?.kind == .directory else {
                throw error
            }
        }
    }

    /// Removes an item, a folder with all below it; of a symbolic link the link.
    ///
    /// - Parameters:
    ///   - path: The item; never the root.
    ///   - progress: Items.
    /// - Throws: `CocoaError.fileNoSuchFile`, `.fileWriteNoPermission` (also for the root).
    public func removeItem(path: ItemPath, reporting progress: Progress?) async throws {
        try progress.checkCancellation()
        if path.isRoot { throw Self.rootStays(path) }
        try await withCancellation(by: progress) {
            let line = try await self.line()
            let place = try line.path(path, whileWriting: true)
            do {
                let attributes: SFTPAttributes
                do {
                    attributes = try await line.connection.begin(.lstat(place)).attributes()
                } catch let refusal as SFTPRefusal where refusal.code == .noSuchFile {
                    // What is below a file is missing, too.
                    throw await line.readError(refusal, path)
                }
                guard attributes.kind == .directory else {
                    return try await line.connection.begin(.remove(place)).success()
                }
                let removal = SFTPTreeRemoval(line.connection) {
                    try progress.checkCancellation()
                    progress?.completedUnitCount += 1
                }
                try await removal.remove(folder: place)
            } catch {
                throw await line.writeError(error, path)
            }
        }
        progress?.finish()
    }
}
