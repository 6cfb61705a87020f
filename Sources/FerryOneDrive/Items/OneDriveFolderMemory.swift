import FerryCore
import Foundation
import Synchronization

/// Folders that were there a moment ago, with their identifiers, and shortcuts to folders of other drives.
///
/// Items are written into a folder by its identifier. Asking for it once every few seconds is enough for many files that
/// go into one folder. Paths through a shortcut lead to another drive; other clients may replace a shortcut by a folder,
/// so it is asked for again too.
final class OneDriveFolderMemory: Sendable {
    private static let lifetime: TimeInterval = 5
    /// Longer than that of folders: a shortcut that is known as a folder is then known as a shortcut too.
    private static let shortcutLifetime: TimeInterval = 10
    private static let most = 10_000

    private struct State {
        var folders: [ItemPath: (folder: OneDriveFolder, time: Date)] = [:]
        var shortcuts: [ItemPath: (folder: OneDriveFolder, time: Date)] = [:]

        mutating func forget(_ key: ItemPath) {
            folders = folders.filter { $0.key != key && !$0.key.isBelow(key) }
            shortcuts = shortcuts.filter { $0.key != key && !$0.key.isBelow(key) }
        }
    }

    private let state = Mutex(State())
    private let now: @Sendable () -> Date

    /// Makes an empty memory.
    ///
    /// - Parameter now: The time of day.
    init(now: @escaping @Sendable () -> Date) {
        self.now = now
    }

    /// Notes that a folder is there.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - path: Its path.
    func note(_ folder: OneDriveFolder, at path: ItemPath) {
        let time = now()
        let key = OneDriveName.key(path)
        state.withLock { state in
            if let (target, _) = state.shortcuts[key], target.id != folder.id { state.forget(key) }
            if state.folders.count > Self.most { state.folders = [:] }
            state.folders[key] = (folder, time)
        }
    }

    /// Notes that a shortcut leads to a folder of another drive.
    ///
    /// - Parameters:
    ///   - folder: The folder that it leads to.
    ///   - path: The path of the shortcut.
    func noteShortcut(to folder: OneDriveFolder, at path: ItemPath) {
        note(folder, at: path)
        let time = now()
        state.withLock { $0.shortcuts[OneDriveName.key(path)] = (folder, time) }
    }

    /// Returns a folder that was there a moment ago.
    ///
    /// - Parameter path: The folder.
    /// - Returns: `nil` if it must be asked for.
    func folder(at path: ItemPath) -> OneDriveFolder? {
        let key = OneDriveName.key(path)
        guard let (folder, time) = state.withLock({ $0.folders[key] }), now().timeIntervalSince(time) < Self.lifetime
        else { return nil }
        return folder
    }

    /// Returns the shortcut that was at a path a moment ago, or the nearest one above it.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - isAbove: A Boolean value that indicates whether a shortcut at the path itself does not count.
    /// - Returns: The path of the shortcut, and the folder that it leads to; `nil` if there is none.
    func shortcut(above path: ItemPath, excludingItself isAbove: Bool) -> (path: ItemPath, folder: OneDriveFolder)? {
        let time = now()
        return state.withLock { state in
            guard !state.shortcuts.isEmpty else { return nil }
            var place = isAbove ? path.parent : path
            while true {
                if let (folder, noted) = state.shortcuts[OneDriveName.key(place)],
                    time.timeIntervalSince(noted) < Self.shortcutLifetime
                {
                    return (place, folder)
                }
                guard !place.isRoot, !place.isIdentifier else { return nil }
                place = place.parent
            }
        }
    }

    /// Forgets a folder or shortcut and all below it, since it was removed or moved.
    ///
    /// - Parameter path: The folder.
    func forget(_ path: ItemPath) {
        let key = OneDriveName.key(path)
        state.withLock { $0.forget(key) }
    }

    /// Notes that no folder or shortcut is at a path.
    ///
    /// - Parameter path: The path.
    func noteNoFolder(at path: ItemPath) {
        let key = OneDriveName.key(path)
        state.withLock { state in
            // All is looked through only where something may be found.
            if state.folders[key] != nil || state.shortcuts[key] != nil { state.forget(key) }
        }
    }
}
