import FerryCore
import Foundation

extension ConformanceCheck {
    private static let lockable: [ConformanceNeed] = .writing + [.locks]

    /// The holder of a lock may change the item, and nobody else.
    static let locks: [ConformanceCheck] = [
        Self("locks.list", "a lock is listed until it is ended", needs: lockable) { trial in
            try await trial.plant(["a.txt": "a"])
            let locking = try trial.locking
            trial.expectEqual(try await locking.locks(on: trial["a.txt"]).map(\.token), [], "locks before")
            let lock = try await locking.lock(path: trial["a.txt"], options: FileLockOptions(owner: "ferry"))
            trial.expectEqual(lock.path, trial["a.txt"], "the lock's path")
            trial.expect(!lock.token.isEmpty, "the lock has no token")
            trial.expectEqual(try await locking.locks(on: trial["a.txt"]).map(\.token), [lock.token], "locks")
            try await locking.unlock(lock)
            trial.expectEqual(try await locking.locks(on: trial["a.txt"]).map(\.token), [], "locks afterwards")
        },
        Self("locks.own-changes", "who holds the lock can change the item", needs: lockable) { trial in
            try await trial.plant(["a.txt": "a"])
            try await trial.whileLocked("a.txt") { _ in
                try await trial.files.writeContents(
                    path: trial["a.txt"],
                    contents: Data(file: "changed"),
                    overwrite: true
                )
                try await trial.expectTree(["a.txt": "changed"])
            }
        },
        Self("locks.own-folder", "who locks a folder can change what is in it", needs: lockable) { trial in
            try await trial.plant(["d/a.txt": "a"])
            try await trial.whileLocked("d") { _ in
                try await trial.files.writeContents(path: trial["d/b.txt"], contents: Data(file: "b"))
                try await trial.files.writeContents(path: trial["d/a.txt"], contents: Data(file: "2"), overwrite: true)
                try await trial.files.removeItem(path: trial["d/b.txt"])
                try await trial.expectTree(["d/a.txt": "2"])
            }
        },
        Self("locks.own-move", "who holds the lock can move and remove the item", needs: lockable) { trial in
            try await trial.plant(["a.txt": "a", "b.txt": "b"])
            _ = try await trial.locking.lock(path: trial["a.txt"], options: FileLockOptions())
            try await trial.files.moveItem(path: trial["a.txt"], to: trial["c.txt"])
            _ = try await trial.locking.lock(path: trial["b.txt"], options: FileLockOptions())
            try await trial.files.removeItem(path: trial["b.txt"])
            try await trial.expectTree(["c.txt": "a"])
        },
        Self("locks.others-changes", "who does not hold the lock is refused, and changes nothing", needs: lockable) {
            trial in
            let another = try trial.anotherClient
            try await trial.plant(["a.txt": "a", "b.txt": "b"])
            try await trial.whileLocked("a.txt") { lock in
                await trial.expectRefusal(.fileWriteNoPermission, of: "writing") {
                    try await another.writeContents(path: trial["a.txt"], contents: Data(file: "x"), overwrite: true)
                }
                await trial.expectRefusal(.fileWriteNoPermission, of: "removing") {
                    try await another.removeItem(path: trial["a.txt"])
                }
                await trial.expectRefusal(.fileWriteNoPermission, of: "moving") {
                    try await another.moveItem(path: trial["a.txt"], to: trial["c.txt"])
                }
                try await trial.expectTree(["a.txt": "a", "b.txt": "b"])
            }
            try await another.writeContents(path: trial["a.txt"], contents: Data(file: "x"), overwrite: true)
            try await trial.expectTree(["a.txt": "x", "b.txt": "b"])
        },
        Self("locks.second", "a second exclusive lock is refused", needs: lockable) { trial in
            try await trial.plant(["a.txt": "a"])
            try await trial.whileLocked("a.txt") { lock in
                await trial.expectRefusal(.fileWriteNoPermission, of: "a second lock") {
                    try await trial.locking.lock(path: trial["a.txt"], options: FileLockOptions())
                }
                trial.expectEqual(
                    try await trial.locking.locks(on: trial["a.txt"]).map(\.token),
                    [lock.token],
                    "the locks"
                )
            }
        },
        Self("locks.missing", "a missing item can't be locked, and does not come to be", needs: lockable) { trial in
            await trial.expectRefusal(.fileNoSuchFile, naming: trial["gone"], of: "a lock") {
                try await trial.locking.lock(path: trial["gone"], options: FileLockOptions())
            }
            await trial.expectNothing(at: trial["gone"])
            try await trial.plant(["gone": "made later"])
            try await trial.expectTree(["gone": "made later"])
        },
        Self("locks.refresh", "a lock can be refreshed while it is held", needs: lockable) { trial in
            try await trial.plant(["a.txt": "a"])
            try await trial.whileLocked("a.txt") { lock in
                let refreshed = try await trial.locking.refresh(lock, timeout: .seconds(900))
                trial.expectEqual(refreshed.token, lock.token, "the token")
                trial.expectEqual(refreshed.path, lock.path, "the path")
            }
        },
        Self("locks.ended", "a lock that was ended can't be ended or refreshed again", needs: lockable) { trial in
            try await trial.plant(["a.txt": "a"])
            let lock = try await trial.locking.lock(path: trial["a.txt"], options: FileLockOptions())
            try await trial.locking.unlock(lock)
            await trial.expectPreconditionFailure(of: "ending it again") { try await trial.locking.unlock(lock) }
            await trial.expectPreconditionFailure(of: "refreshing it") {
                try await trial.locking.refresh(lock, timeout: nil)
            }
        },
    ]
}

extension Trial {
    /// A client that holds none of our locks.
    fileprivate var anotherClient: any FileProvider {
        get throws {
            guard let another = stage.another else { throw NotApplicable("a second client") }
            return another
        }
    }

    fileprivate func whileLocked(_ path: ItemPath, _ body: (FileLock) async throws -> Void) async throws {
        let lock = try await locking.lock(path: self[path], options: FileLockOptions(owner: "ferry"))
        try await body(lock)
        try await locking.unlock(lock)
    }
}
