import FerryCore
import Foundation

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
        return try await BlockingWork.run { History(lines: try file.lines(), latest: latest) }
    }

    /// Writes lines.
    func write(_ lines: HistoryLine...) async throws {
        let file = file
        try await BlockingWork.run { try file.append(lines) }
    }

    /// The storage that entries happened on.
    ///
    /// - Parameter prefix: What its locations begin with.
    /// - Returns: The storage, which does not record.
    /// - Throws: Why it can't be opened: the remote is gone.
    func storage(_ prefix: String) async throws -> (undo: UndoStorage, location: Location) {
        let location = try await session.storages.location(prefix.isEmpty ? "/" : prefix)
        let storage = UndoStorage(
            location.storage,
            shadow: session.storages.shadow,
            ways: HistoryRecorder.ways(prefix)
        )
        return (storage, location)
    }

    /// Lets go of what is kept for groups.
    ///
    /// - Parameters:
    ///   - groups: Which ones.
    ///   - opening: Whether to open storages at the other end of a line for that; else what is kept there waits.
    /// - Returns: Bytes that are free now, as far as they are known.
    /// - Throws: Why a storage can't be opened.
    @discardableResult
    func drop(_ groups: [History.Group], opening: Bool) async throws -> Int64 {
        var bytes: Int64 = 0
        for group in groups {
            var isWhole = true
            for (prefix, entries) in Dictionary(grouping: group.entries, by: \.prefix) {
                let steps = entries.flatMap(\.entry.steps)
                let kept = steps.compactMap(\.kept).filter { $0.way != nil }
                if kept.isEmpty { continue }
                guard prefix.isEmpty || opening else {
                    isWhole = false
                    continue
                }
                let storage = try await storage(prefix).undo
                await storage.discard(kept)
                bytes += steps.reduce(0) { $0 + $1.keptBytes }
            }
            if isWhole { try await write(.dropped(group.id)) }
        }
        return bytes
    }

    /// Makes the oldest make room, if there is too much; and puts the file in order, if it is too long.
    func makeRoom() async throws {
        let known = try await read(latest: 0)
        let now = Date()
        let oldest = now.addingTimeInterval(-TimeInterval(limits.age.components.seconds))
        var kept = known.groups.reduce(0) { $0 + ($1.isDropped ? 0 : $1.kept) }
        var doomed: [UUID] = []
        for (index, group) in known.groups.enumerated() where !group.isDropped && !group.isRunning {
            let isLatest = index == known.groups.count - 1
            let isTooMany = known.groups.count - index > limits.groups
            guard !isLatest, kept > limits.bytes || group.header.date < oldest || isTooMany else { continue }
            doomed.append(group.id)
            kept -= group.kept
        }
        if !doomed.isEmpty {
            let all = try await read()
            try await drop(all.groups.filter { doomed.contains($0.id) }, opening: false)
        }
        guard known.groups.count > limits.groups * 2 || file.size > limits.fileSize else { return }
        let file = file
        let limits = limits
        try await BlockingWork.run { try file.rewrite { History.shortened($0, to: limits) } }
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
        guard let local = try await session.storages.location("/").storage as? any FileProviderSettingAside else {
            return 0
        }
        let oldest = Date().addingTimeInterval(-TimeInterval(limits.age.components.seconds))
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
        try await BlockingWork.run { try file.rewrite { History.shortened($0, to: limits, keepsLatest: false) } }
    }
}
