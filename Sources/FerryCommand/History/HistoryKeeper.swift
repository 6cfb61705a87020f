import FerryCore
import FerryUndo
import Foundation
import Logging

/// Looks after what is kept: how much it is, what has to make room, and how it comes back.
struct HistoryKeeper {
    let session: Session
    let file: HistoryFile
    let limits: HistoryLimits

    init(_ session: Session) {
        self.session = session
        let folders = UserFolders(environment: session.environment)
        file = HistoryFile(path: folders.history)
        limits = HistoryLimits(environment: session.environment)
    }

    /// Reads the history.
    ///
    /// - Parameter latest: Of how many groups, the latest, all is read; of the others only what they are.
    /// - Returns: The history.
    /// - Throws: `CocoaError` that names the file.
    func read(latest: Int = .max) async throws -> History {
        let file = file
        return try await BlockingWork.run {
            History(lines: latest == 0 ? try file.lines(of: "BFKD") : try file.lines(), latest: latest)
        }
    }

    /// Reads some groups, and of the others only what they are: what is in them takes long where there are many.
    private func read(_ groups: Set<UUID>) async throws -> [History.Group] {
        let file = file
        let history = try await BlockingWork.run {
            // Groups are taken back, and what was kept for them is renewed, by what later ones say.
            History(lines: try file.lines(of: "BTR", allOf: groups))
        }
        return history.groups.filter { groups.contains($0.id) }
    }

    /// Writes lines.
    func write(_ lines: HistoryLine...) async throws { try await write(lines) }

    /// Writes lines, all or none.
    func write(_ lines: [HistoryLine]) async throws {
        let file = file
        try await BlockingWork.run { try file.append(lines) }
    }

    /// The storage that entries happened on.
    ///
    /// - Parameter prefix: The prefix of its locations.
    /// - Returns: The storage, which does not record.
    /// - Throws: Why it can't be opened: the remote is gone.
    func storage(_ prefix: String) async throws -> (undo: UndoStorage, location: Location) {
        let location = try await session.storages.location(prefix.isEmpty ? "/" : prefix)
        let storage = UndoStorage(
            location.storage.withoutRecording,
            shadow: session.storages.shadow,
            ways: HistoryRecorder.ways(prefix),
            retries: UndoRetries(on: prefix, console: session.console)
        )
        return (storage, location)
    }

    /// Lets go of what is kept for groups.
    ///
    /// - Parameters:
    ///   - groups: Which ones.
    ///   - prefixes: On which storages: what their locations begin with; on all when `nil`. What is kept elsewhere waits.
    /// - Returns: Bytes that are free now, as far as they are known.
    /// - Throws: Why a storage can't be opened.
    @discardableResult
    func drop(_ groups: [History.Group], on prefixes: Set<String>? = nil) async throws -> Int64 {
        var bytes: Int64 = 0
        for group in groups {
            var left = Set(group.keeps.keys).union(group.entries.map(\.prefix)).subtracting([""])
            for (prefix, entries) in Dictionary(grouping: group.entries, by: \.prefix) {
                let steps = entries.flatMap(\.entry.steps)
                let kept = steps.compactMap(\.kept).filter(\.isOurs)
                if kept.isEmpty {
                    left.remove(prefix)
                    continue
                }
                if let prefixes, !prefixes.contains(prefix) { continue }
                let storage = try await storage(prefix).undo
                await storage.discard(kept)
                bytes += steps.reduce(0) { $0 + $1.keptBytes }
                left.remove(prefix)
                if !prefix.isEmpty { try await write(.dropped(group.id, prefix: prefix)) }
            }
            if left.isEmpty || prefixes == nil { try await write(.dropped(group.id)) }
        }
        return bytes
    }

    /// Makes the oldest make room, if there is too much on a storage; and puts the file in order, if it is too long.
    ///
    /// - Parameter used: The prefixes of the storages that something was set aside on just now; those at the other end
    ///   of a line are not opened for this alone.
    /// - Throws: `CocoaError` that names the file; why a storage can't be asked.
    func makeRoom(used: Set<String> = []) async throws {
        let known = try await read(latest: 0)
        let oldest = Date().addingTimeInterval(-TimeInterval(limits.age.components.seconds))
        var doomed: Set<UUID> = []
        for prefix in used.union([""]) {
            var kept = known.groups.reduce(0) { $0 + ($1.isDropped ? 0 : $1.keeps[prefix] ?? 0) }
            for (index, group) in known.groups.enumerated() where !group.isDropped && !group.isRunning {
                // Of what nobody has seen the end of, it isn't known where something is kept.
                guard group.keeps[prefix] != nil || !group.hasEnded, index != known.groups.count - 1 else { continue }
                let isTooMany = known.groups.count - index > limits.groups
                guard kept > limits.bytes || group.header.date < oldest || isTooMany else { continue }
                // Groups that keep something only on other storages wait until those are used.
                if prefix.isEmpty, group.hasEnded, group.keeps[""] == 0, group.keeps.count > 1 { continue }
                doomed.insert(group.id)
                kept -= group.keeps[prefix] ?? 0
            }
        }
        if !doomed.isEmpty {
            try await drop(try await read(doomed), on: used.union([""]))
        }
        for prefix in used where !prefix.isEmpty {
            let storage = try await storage(prefix).undo
            await storage.discard(try await storage.strays(before: oldest).map(\.kept))
        }
        guard known.groups.count > limits.groups * 2 || file.size > limits.fileSize else { return }
        let file = file
        let limits = limits
        try await BlockingWork.run { try file.shorten(HistoryShortening(limits)) }
    }

    /// Removes the folder on a server in which nothing is kept any more.
    ///
    /// - Parameter prefix: The prefix of locations there.
    func removeEmptyAside(_ prefix: String) async {
        do {
            try await storage(prefix).undo.removeEmptyAside()
        } catch {
            // An empty folder is in nobody's way, and goes the next time.
            session.providerLogger.debug("the folder stays", metadata: ["error": "\(error)"])
        }
    }

    /// Removes what is kept for nobody, and has been for longer than anything is kept.
    ///
    /// It is of processes that died before they had noted it. What is younger may be some app's, which has a stack of its own.
    ///
    /// - Returns: Bytes of it, as far as they are known.
    func removeStrays() async throws -> Int64 {
        let history = try await read()
        guard !history.groups.contains(where: \.isRunning) else { return 0 }
        let known = Set(
            history.groups.filter { !$0.isDropped }.flatMap(\.entries).flatMap(\.entry.steps)
                .compactMap { step -> Substring? in
                    guard case .aside(let id)? = step.kept else { return nil }
                    return id.split(separator: "/").last
                }
        )
        let oldest = Date().addingTimeInterval(-TimeInterval(limits.age.components.seconds))
        guard let local = try await session.storages.location("/").storage as? any FileProviderSettingAside else {
            return 0
        }
        let strays = try await local.itemsSetAside().filter { item in
            item.date.map { $0 < oldest } ?? false
                && item.id.split(separator: "/").last.map { !known.contains($0) } ?? false
        }
        if strays.isEmpty { return 0 }
        try await local.discardSetAside(strays.map(\.id))
        return strays.reduce(0) { $0 + ($1.item.size ?? 0) }
    }

    /// Takes groups out of the file of which nothing is kept any more.
    func forgetDropped() async throws {
        let file = file
        let limits = limits
        try await BlockingWork.run { try file.shorten(HistoryShortening(limits, keepsLatest: false)) }
    }
}
