import FerryCore
import Foundation
import Synchronization

extension CacheEngine {
    /// The answers that are given without asking the storage, and are wrong after a change that nobody has reported.
    private static let unasked: Set<CacheKind> = [.listing, .attributes, .quota, .metadata]

    /// Listens to the storage's changes.
    ///
    /// - Parameters:
    ///   - interval: Between two questions, or two tries.
    ///   - clock: The clock to wait on.
    /// - Throws: `CocoaError.featureUnsupported`; what keeps the storage from being asked.
    func startInvalidating(every interval: Duration, _ clock: any Clock<Duration>) async throws {
        let tracking = base as? any FileProviderChangeTracking
        // Nobody is kept alive by being told of changes.
        let engine = { @Sendable [weak self] in self }
        // A disk tells by itself; a storage at the other end of a line is asked either way, and its history is cheaper.
        if let monitor = base as? any FileProviderMonitor, !base.isRemote || tracking == nil {
            let changes = try await begin(monitor)
            watch(Task { await Self.follow(changes, of: monitor, interval, clock, engine) })
        } else if let tracking {
            let anchor = try await catchUp(tracking)
            watch(Task { await Self.ask(tracking, since: anchor, interval, clock, engine) })
        } else {
            throw CocoaError.unsupported("hearing of changes", path: .root)
        }
    }

    /// Replaces what listens.
    ///
    /// - Parameter task: Ends when it is cancelled; `nil` for nobody.
    func watch(_ task: Task<Void, Never>?) {
        let before = watching.withLock { watching in
            defer { watching = task }
            return watching
        }
        before?.cancel()
    }

    private func forgetUnasked() async {
        await account.remove(.root, below: true, kinds: Self.unasked)
    }

    // MARK: Storages that tell

    private func begin(_ monitor: any FileProviderMonitor) async throws -> FileChanges {
        let changes = try await monitor.changes(under: .root)
        // Earlier changes are not reported by anybody.
        await forgetUnasked()
        return changes
    }

    private static func follow(
        _ changes: FileChanges,
        of monitor: any FileProviderMonitor,
        _ interval: Duration,
        _ clock: any Clock<Duration>,
        _ engine: @Sendable () -> CacheEngine?
    ) async {
        var changes: FileChanges? = changes
        while !Task.isCancelled {
            do {
                if let heard = changes.take() {
                    for try await change in heard { await engine()?.invalidate(change.effects) }
                }
                // It broke down: what happens until it stands again, nobody tells.
                await engine()?.forgetUnasked()
                try await clock.sleep(for: interval)
                changes = try await engine()?.begin(monitor)
                if changes == nil { return }
            } catch {
                // The next try comes after the same wait.
                if Task.isCancelled || engine() == nil { return }
            }
        }
    }

    // MARK: Storages that are asked

    /// Brings what is kept up to date.
    private func catchUp(_ storage: any FileProviderChangeTracking) async throws -> ChangeAnchor {
        let kept = await account.value(.metadata, .root, variant: "anchor", as: Data.self)?.value
        if let kept, let token = String(data: kept, encoding: .utf8) {
            do {
                return try await apply(storage, since: ChangeAnchor(token: token))
            } catch is AnchorExpiredError {
                // Everything may have changed.
            }
        }
        let anchor = try await storage.currentAnchor()
        await forgetUnasked()
        await keep(anchor)
        return anchor
    }

    private func keep(_ anchor: ChangeAnchor) async {
        let mark = await account.mark()
        await account.keep(Data(anchor.token.utf8), .metadata, .root, variant: "anchor", asked: mark)
    }

    private func apply(
        _ storage: any FileProviderChangeTracking,
        since anchor: ChangeAnchor
    ) async throws -> ChangeAnchor {
        var anchor = anchor
        while true {
            let set = try await storage.changes(since: anchor)
            guard !set.changes.contains(where: \.isWithoutPath) else { throw AnchorExpiredError() }
            await invalidate(set.changes.flatMap(\.effects))
            // Only now: who dies before asks for the same changes again.
            if set.anchor != anchor { await keep(set.anchor) }
            anchor = set.anchor
            if !set.hasMore { return anchor }
        }
    }

    private static func ask(
        _ storage: any FileProviderChangeTracking,
        since anchor: ChangeAnchor,
        _ interval: Duration,
        _ clock: any Clock<Duration>,
        _ engine: @Sendable () -> CacheEngine?
    ) async {
        var anchor = anchor
        var wait = interval
        while !Task.isCancelled {
            do {
                try await clock.sleep(for: wait)
                guard let engine = engine() else { return }
                do {
                    anchor = try await engine.apply(storage, since: anchor)
                } catch is AnchorExpiredError {
                    anchor = try await engine.catchUp(storage)
                }
                wait = interval
            } catch {
                if Task.isCancelled { return }
                wait = min(wait * 2, interval * 16)
            }
        }
    }
}

extension FileChange {
    /// The effects on what is kept.
    fileprivate var effects: [CacheEffect] {
        switch kind {
        case .created, .modified, .removed, .rescan: [.item(path)]
        case .moved(let previous): [.item(previous), .item(path)]
        case .attributes: [.appearance(path)]
        }
    }
}

extension TrackedChange {
    fileprivate var isWithoutPath: Bool {
        if case .removedItem = self { true } else { false }
    }

    /// The effects on what is kept.
    fileprivate var effects: [CacheEffect] {
        switch self {
        case .removed(let path, _): [.item(path)]
        // Entries are found by their paths alone: a new anchor is begun from instead.
        case .removedItem: []
        case .updated(let item, let previous?): [.item(previous), .item(item.path)]
        // Items in a folder are reported by themselves.
        case .updated(let item, nil): item.isDirectory ? [.appearance(item.path)] : [.item(item.path)]
        }
    }
}

extension CachedFileProvider {
    /// Forgets what others change, as the storage tells of it: by its monitor, or by its change tracking.
    ///
    /// When this returns, nothing is kept any more that the storage has told to be another by now. It goes on until
    /// ``stopInvalidating()``, or until nobody holds the provider and its copies any more. Where change tracking is
    /// used, a later process goes on where this one has stopped.
    ///
    /// - Parameters:
    ///   - interval: How long to wait between two questions, where the storage has to be asked; and before watching
    ///     again, where that broke down.
    ///   - clock: The clock to wait on.
    /// - Throws: `CocoaError.featureUnsupported` where the storage tells of no changes; what keeps it from being asked.
    public func startInvalidating(
        every interval: Duration = .seconds(30),
        clock: any Clock<Duration> = ContinuousClock()
    ) async throws {
        try await engine.startInvalidating(every: max(interval, .milliseconds(100)), clock)
    }

    /// Listens to changes no more.
    public func stopInvalidating() { engine.watch(nil) }
}
