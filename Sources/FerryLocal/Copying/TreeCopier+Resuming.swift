import FerryCore
import Foundation

extension TreeCopier {
    /// Removes from what an earlier run has left of a folder all that is not as it will be: so what is there afterwards is
    /// as if it had been copied just now.
    ///
    /// Links, pipes and the like are quicker made anew than compared.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - pair: The same, open.
    /// - Returns: The files that are there, and the folders that are to be looked into; by their bytes, since the target may
    ///   take other names for the same.
    /// - Throws: The error that keeps something from being removed, and then nobody knows what is there.
    func clearUp(_ folder: CopiedFolder, _ pair: CopiedFolder.Pair) throws -> Set<RawName> {
        var kept: Set<RawName> = []
        var useless = RawNames()
        do {
            let entries = EntryReader(pair.target)
            while let entry = try entries.next() {
                if try keeps(entry.name, folder, pair) {
                    kept.insert(RawName(entry.name))
                } else {
                    useless.append(entry.name)
                }
            }
        } catch {
            throw error.mapped(.naming, targetPath(of: nil, in: folder))
        }
        try useless.forEach { name in
            try checkFailure()
            try removeLeft(name, folder, in: pair.target)
        }
        return kept
    }

    private func keeps(
        _ name: UnsafePointer<CChar>,
        _ folder: CopiedFolder,
        _ pair: CopiedFolder.Pair
    ) throws(Errno) -> Bool {
        // With what can't be looked at nothing can be compared, and copying it will say why.
        guard let original = try? pair.source.status(of: name) else { return false }
        let copy = try pair.target.status(of: name)
        if copy.isFolder, original.isFolder {
            return try Place(folder: pair.target, name: RawName(name)).openLeft() != nil
        }
        guard !job.leavesOut(original, in: folder.status), folder.keeps(copy, of: original) else { return false }
        job.skipFile(original.size)
        return true
    }

    /// Removes an item that an earlier run has left, with all below it.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - folder: The folder that it is in.
    ///   - target: The copy of that.
    /// - Throws: The error that keeps it from being removed.
    func removeLeft(_ name: UnsafePointer<CChar>, _ folder: CopiedFolder, in target: Descriptor) throws {
        try TreeRemover.removeOurs(Place(folder: target, name: RawName(name)), path: targetPath(of: name, in: folder))
    }
}

extension Place {
    /// Opens what an earlier run has left of a folder, which may have the permissions of its original already.
    ///
    /// - Returns: The folder; `nil` if it has attributes or access lists, which new items in it would get, too.
    /// - Throws: The system's error.
    func openLeft() throws(Errno) -> Descriptor? {
        let left: Descriptor
        do {
            left = try folder.openFolder(name)
        } catch {
            guard error.code == EACCES else { throw error }
            try folder.setPermissions(of: name, 0o700)
            left = try folder.openFolder(name)
        }
        let status = try left.status()
        // That it gives its group to what is made in it stays.
        if status.mode & 0o700 != 0o700 { try left.setPermissions(0o700 | status.mode & S_ISGID) }
        return left.hasAttributes ? nil : left
    }
}

extension Descriptor {
    /// Indicates whether there are extended attributes that not the system alone looks after, or that can't be told.
    fileprivate var hasAttributes: Bool {
        do {
            return try extendedAttributeNames().contains { name in
                !name.text.hasPrefix("security.") && !name.text.hasPrefix("trusted.")
            }
        } catch {
            return !error.isUnsupported
        }
    }
}
