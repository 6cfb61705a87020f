import FerryCore
import Foundation

/// A folder that is copied as a whole, beside its place under a hidden name, so that a later run can go on with it.
struct PartialFolder: Sendable {
    /// Its name until all is in it.
    let name: RawName

    /// Nothing that changed in the source since then is as it was when it was copied.
    let begun: timespec

    /// Called before it is made; `nil` for what was noted before.
    let note: (@Sendable () -> Void)?

    /// Bytes, or items, of a tree that takes so long that it is worth remembering.
    private static let leastBytes: Int64 = 4 << 20
    private static let leastItems = 1_000

    /// Reads a record.
    ///
    /// - Parameters:
    ///   - write: The record.
    ///   - note: Called before it is made; `nil` for what was noted before.
    /// - Throws: ``PartialWriteLostError`` for one that is none of ours, or of before the machine started.
    init(_ write: PartialWrite, noting note: (@Sendable () -> Void)? = nil) throws {
        self.note = note
        let parts = (write.values["begun"] ?? "").split(separator: ".").compactMap { Int($0) }
        // After a loss of power lengths and dates may be there, and the bytes not.
        guard write.isFolder, let name = write.values["name"], TemporaryName.isOne(name), parts.count == 2,
            write.values["boot"] == MachineStart.current
        else {
            throw PartialWriteLostError(path: write.path)
        }
        self.name = TemporaryName.raw(name)
        begun = timespec(tv_sec: parts[0], tv_nsec: parts[1])
    }

    /// Returns what will lead back to a folder that is about to be begun.
    static func record(_ path: ItemPath) -> PartialWrite {
        let begun = timespec.now.beforeTick
        return PartialWrite(
            folder: path,
            values: [
                "name": TemporaryName.text(), "boot": MachineStart.current, "begun": "\(begun.tv_sec).\(begun.tv_nsec)",
            ]
        )
    }

    /// Returns whether a tree is copied like this, and not like any other.
    func isFor(_ tree: TreeMeasure) -> Bool {
        note == nil || tree.bytes >= Self.leastBytes || tree.items >= Self.leastItems
    }

    /// Removes it, if it is there.
    ///
    /// - Parameters:
    ///   - path: The folder that it would have been.
    ///   - base: Where the path begins.
    /// - Throws: The error that keeps it from being removed.
    func discard(_ path: ItemPath, in base: BaseFolder) throws {
        do {
            let place = Place(folder: try base.place(of: path).folder, name: name)
            guard let status = try place.statusIfExists(), status.isFolder else { return }
            try TreeRemover.removeOurs(place, path: path)
        } catch let error as Errno where error.isAny(of: ENOENT, ENOTDIR, ELOOP) {
            return
        } catch let error as Errno {
            throw error.mapped(.naming, path)
        }
    }
}
