import FerryCore
import FerryCrypto
import Foundation

/// A folder that gets its name only when all is in it.
///
/// Until then it has a hidden name, and is locked. Where nobody remembers it, the name is the same each time: so what a
/// killed process has left is found, and removed, by the next that makes the same folder.
struct HiddenFolder {
    /// Where it is until it has its name.
    let place: Place
    /// Indicates whether something may be in it, left by an earlier run.
    let wasLeft: Bool
    /// Holds the lock; `nil` where there is none.
    private let lock: Descriptor?

    /// Makes an empty folder.
    ///
    /// - Parameters:
    ///   - target: The place that it will have.
    ///   - path: The path of that.
    /// - Throws: The system's error.
    init(for target: Place, path: ItemPath) throws(Errno) {
        wasLeft = false
        let fixed = Place(folder: target.folder, name: Self.name(for: target.name))
        if let lock = try Self.take(fixed, path) {
            place = fixed
            self.lock = lock
            return
        }
        // Another process makes the same folder right now, or nothing can be locked here.
        place = Place(folder: target.folder, name: TemporaryName.random())
        lock = nil
        try place.folder.createFolder(place.name, mode: 0o700)
    }

    /// Finds what an earlier run has left, or makes an empty folder.
    ///
    /// - Parameters:
    ///   - target: The place that it will have.
    ///   - path: The path of that.
    ///   - partial: The record that leads back to it.
    /// - Throws: The system's error; `EWOULDBLOCK` while another process is at it.
    init(for target: Place, path: ItemPath, as partial: PartialFolder) throws {
        place = Place(folder: target.folder, name: partial.name)
        var left: Descriptor?
        if try !Self.make(place) {
            left = try place.openLeft()
            if left == nil {
                try TreeRemover.removeOurs(place, path: path)
                try place.folder.createFolder(place.name, mode: 0o700)
            }
        }
        wasLeft = left != nil
        let folder = try left ?? place.folder.openFolder(place.name)
        // Where nothing can be locked, it does without: only one process at a time is at what was noted.
        if flock(folder.raw, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { throw Errno(EWOULDBLOCK) }
        lock = folder
    }

    private static func name(for name: RawName) -> RawName {
        var hash = RunningHash(.sha256)
        name.withUnsafeBytes { hash.update($0) }
        var number: UInt64 = 0
        for byte in hash.finalize().prefix(8) { number = number << 8 | UInt64(byte) }
        return TemporaryName.raw(TemporaryName.text(number))
    }

    /// Lets others have it; for when it has its name, or is gone.
    func unlock() {
        // A lock ends with its descriptor, whatever the system says of closing it.
        try? lock?.close()
    }

    private static func take(_ place: Place, _ path: ItemPath) throws(Errno) -> Descriptor? {
        if try !make(place) {
            guard removeLeft(place, path), try make(place) else { return nil }
        }
        if let lock = locked(place) { return lock }
        // Fails where another process has begun to use it.
        try? place.folder.removeFolder(place.name)
        return nil
    }

    /// - Returns: `true` if it was made; `false` if it was there.
    private static func make(_ place: Place) throws(Errno) -> Bool {
        do {
            try place.folder.createFolder(place.name, mode: 0o700)
            return true
        } catch {
            guard error.code == EEXIST else { throw error }
            return false
        }
    }

    /// Removes what a killed process has left.
    ///
    /// - Returns: `true` if it is gone; `false` if it is another's, or can't be removed.
    private static func removeLeft(_ place: Place, _ path: ItemPath) -> Bool {
        guard let left = locked(place) else { return false }
        do {
            try TreeRemover.removeOurs(place, path: path)
            try left.close()
            return true
        } catch {
            return false
        }
    }

    /// Opens and locks a folder of our own, if nobody else has it.
    private static func locked(_ place: Place) -> Descriptor? {
        do {
            let folder = try place.folder.openFolder(place.name)
            guard flock(folder.raw, LOCK_EX | LOCK_NB) == 0 else { return nil }
            // The former holder of the lock may have removed it, or given it its name.
            let status = try folder.status()
            guard try place.folder.status(of: place.name).identity == status.identity, status.user == geteuid() else {
                return nil
            }
            return folder
        } catch {
            return nil
        }
    }
}
