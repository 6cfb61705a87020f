public import FerryCore
public import Foundation

extension SFTPFileProvider: FileProviderOperations {
    /// Makes a folder.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - parent: The folder that will hold it.
    ///   - creatingParents: `true` to make `parent` and what is missing above it.
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
                } catch let refusal as SFTPRefusal where [.noSuchFile, .failure].contains(refusal.code) {
                    // An item below a file is missing, too.
                    let error = await line.readError(refusal, path)
                    throw refusal.code == .noSuchFile || (error as? CocoaError)?.code == .fileNoSuchFile
                        ? error : refusal
                }
                guard attributes.kind == .directory, try await !line.listsLink(at: place) else {
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

extension SFTPLine {
    /// Returns whether what `LSTAT` calls a folder is a link to one.
    ///
    /// ProFTPD's `mod_sftp` answers `LSTAT` with what a link leads to: whoever removed a link by that would remove a folder
    /// with all that is in it. Its listings say what is a link, and so they are asked where a server doesn't have OpenSSH's
    /// extension for the attributes of links.
    fileprivate func listsLink(at place: SFTPPath) async throws -> Bool {
        if facts.has(.lsetstat) { return false }
        let name = Array(place.lastName)
        let handle = try await connection.begin(.opendir(place.parent)).handle(on: connection)
        var last: [SFTPNameEntry] = []
        while let part = try await connection.begin(.readdir(handle.name)).entries(after: last) {
            last = part
            if let entry = part.first(where: { $0.name == name }) { return entry.attributes.kind == .symlink }
        }
        return false
    }
}
