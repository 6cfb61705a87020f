import FerryCore
import Foundation

// Contents that a storage keeps by itself are looked for only when needed: most of them never are.

extension UndoStorage {
    /// Returns the version from which a file can be restored after it was removed.
    ///
    /// - Parameter stamp: The file, as it is before.
    /// - Returns: `nil` for anything but a file, and where the storage keeps no versions of what was removed.
    func lastVersion(of stamp: ItemStamp) -> FileVersion? {
        guard base.capabilities.versionsOutliveFiles, base is any FileProviderVersioning, let tag = stamp.eTag else {
            return nil
        }
        return FileVersion(id: tag, modifiedDate: stamp.modified, size: stamp.size, eTag: tag)
    }

    /// Finds the version that a file had before it was replaced.
    ///
    /// - Parameters:
    ///   - sought: The facts to consider.
    ///   - path: The file.
    ///   - former: The file as it was.
    ///   - left: The item that replaced it.
    /// - Returns: The only version that this can be.
    /// - Throws: ``UndoRefusal`` if there is none, or it can't be told from others.
    func version(
        _ sought: SoughtVersion,
        of path: ItemPath,
        former: ItemStamp,
        left: ItemStamp?
    ) async throws -> FileVersion {
        guard let storage = base as? any FileProviderVersioning else { throw UndoRefusal(path, .dropped) }
        let versions = try await storage.versions(of: path)
        if let eTag = former.eTag, let exact = versions.first(where: { $0.eTag == eTag }) { return exact }
        let same = versions.filter { former.describes($0) }
        guard same.count == 1, !sought.isDoubtful else { throw UndoRefusal(path, .dropped) }
        if let unseen = sought.unseen {
            // Dates of versions have whole seconds.
            let doubtful = DateInterval(start: unseen.start.addingTimeInterval(-1), end: unseen.end)
            let isChanged = versions.contains { version in
                guard version.id != same[0].id, let date = version.modifiedDate, doubtful.contains(date) else {
                    return false
                }
                // Somebody's, unless we have put the same there before.
                return left?.describes(version) != true
            }
            if isChanged { throw UndoRefusal(path, .changed) }
        }
        return same[0]
    }

    /// Finds an item in the trash.
    ///
    /// - Parameters:
    ///   - time: When it was removed, by this machine's clock.
    ///   - path: Where it was.
    ///   - former: The item as it was.
    ///   - trash: The items in the trash, if it was listed already.
    /// - Returns: The item.
    /// - Throws: ``UndoRefusal`` if it is not there, or can't be told from others.
    func trashed(
        _ time: DateInterval,
        of path: ItemPath,
        former: ItemStamp,
        in trash: [TrashedItem]? = nil
    ) async throws -> TrashedItem {
        guard let storage = base as? any FileProviderTrash else { throw UndoRefusal(path, .dropped) }
        let all = if let trash { trash } else { try await storage.trashedItems() }
        let items = all.filter { $0.originalPath == path && $0.item.type == former.type }
        if let id = former.id, items.contains(where: { $0.item.id != nil }) {
            guard let item = items.first(where: { $0.item.id == id }) else { throw UndoRefusal(path, .dropped) }
            return item
        }
        // A server's clock may be a little off.
        let slack: TimeInterval = 120
        let same = items.filter { item in
            let isThen = item.deletionDate.map {
                $0 >= time.start.addingTimeInterval(-slack) && $0 <= time.end.addingTimeInterval(slack)
            }
            return isThen ?? true && (former.type == .directory || former.resembles(item.item))
        }
        guard same.count == 1 else { throw UndoRefusal(path, .dropped) }
        return same[0]
    }

    /// Returns whether the storage will have a version of a file once it is replaced, and that version can be found.
    ///
    /// - Parameters:
    ///   - item: The file.
    ///   - date: The date that what replaces it will have; the present one, if nobody says.
    ///   - now: The present time.
    /// - Returns: `true` only if both are certain.
    func keepsVersion(_ item: FileObject, replacedBy date: Date?, now: Date) -> Bool {
        guard item.size ?? 0 > 0, let old = item.modifiedDate, base is any FileProviderVersioning else { return false }
        // Servers tell versions apart by their date. Their clocks may be a little off.
        if let date { return Int64(date.timeIntervalSince1970) != Int64(old.timeIntervalSince1970) }
        return abs(old.timeIntervalSince(now)) > 60
    }
}

extension ItemStamp {
    /// Returns whether a version can be this content: size, date to the second and eTag agree, the first two known.
    fileprivate func describes(_ version: FileVersion) -> Bool {
        guard let size, size == version.size, let modified, let date = version.modifiedDate,
            Int64(modified.timeIntervalSince1970.rounded(.down)) == Int64(date.timeIntervalSince1970.rounded(.down))
        else { return false }
        guard let eTag, let other = version.eTag else { return true }
        return eTag == other
    }
}
