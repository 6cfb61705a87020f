import Crypto
import FerryCore
import Foundation

/// A folder that gets its name only when all is in it.
///
/// Until then it has a hidden name, which is the same each time, and is locked: so what a killed process has left is
/// found, and removed, by the next that makes the same folder.
struct HiddenFolder {
    /// Where it is for now.
    let place: Place
    /// Holds the lock; `nil` where there is none.
    private let lock: Descriptor?

    /// Makes an empty folder.
    ///
    /// - Parameters:
    ///   - target: The place that it will have.
    ///   - path: The path of that.
    /// - Throws: What the system said.
    init(for target: Place, path: ItemPath) throws {
        let fixed = Place(folder: target.folder, name: Self.name(for: target.name))
        if let lock = try Self.take(fixed, path) {
            (place, self.lock) = (fixed, lock)
            return
        }
        // Another process makes the same folder right now, or nothing can be locked here.
        (place, lock) = (Place(folder: target.folder, name: TemporaryName.random()), nil)
        try place.folder.createFolder(place.name, mode: 0o700)
    }

    private static func name(for name: RawName) -> RawName {
        let bytes = name.map { UInt8(bitPattern: $0) } + Array("folder".utf8)
        let digits = SHA256.hash(data: bytes).prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        return TemporaryName.raw(".ferry-\(digits.joined()).tmp")
    }

    private static func take(_ place: Place, _ path: ItemPath) throws -> Descriptor? {
        do {
            try place.folder.createFolder(place.name, mode: 0o700)
        } catch let error as Errno where error.code == EEXIST {
            guard let left = locked(place) else { return nil }
            var remover = TreeRemover(path: path, job: Job())
            remover.isOurs = true
            do {
                try withExtendedLifetime(left) { try remover.remove(place) }
                try place.folder.createFolder(place.name, mode: 0o700)
            } catch {
                return nil  // it stays, and another name is taken
            }
        }
        if let lock = locked(place) { return lock }
        // Fails where another process has begun to use it.
        try? place.folder.removeFolder(place.name)
        return nil
    }

    /// Opens and locks a folder of our own, if nobody else has it.
    private static func locked(_ place: Place) -> Descriptor? {
        do {
            let folder = try place.folder.openFolder(place.name)
            guard flock(folder.raw, LOCK_EX | LOCK_NB) == 0 else { return nil }
            // Who had it before may have removed it, or given it its name.
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
