import FerryCore
import Foundation

extension ConformanceCheck {
    static let tracked: [ConformanceNeed] = .writing + [.changeTracking]

    /// Whoever follows the changes knows what is there.
    static let changeTracking: [ConformanceCheck] = [
        Self("tracking.nothing", "nothing has changed since now", needs: tracked) { trial in
            try await trial.plant(["a.txt": "a"])
            let anchor = try await trial.tracking.currentAnchor()
            let set = try await trial.tracking.changes(since: anchor)
            trial.expect(set.changes.isEmpty && !set.hasMore, "there are changes: \(set)")
        },
        Self("tracking.created", "a new file is among the changes", needs: tracked) { trial in
            try await trial.expectChanges { files in
                try await files.writeContents(path: trial["a.txt"], contents: Data(file: "a"))
            } are: { changes in
                let item = changes.updated(trial["a.txt"])
                trial.expectEqual(item?.size ?? 1, 1, "the size that is reported")
                trial.expect(item != nil, "the new file is not reported: \(changes)")
            }
        },
        Self("tracking.modified", "a new content is among the changes", needs: tracked) { trial in
            try await trial.plant(["a.txt": "a"])
            try await trial.expectChanges { files in
                try await files.writeContents(path: trial["a.txt"], contents: Data(file: "new"), overwrite: true)
            } are: { changes in
                let item = changes.updated(trial["a.txt"])
                trial.expectEqual(item?.size ?? 3, 3, "the size that is reported")
                trial.expect(item != nil, "the new content is not reported: \(changes)")
            }
        },
        Self("tracking.removed", "a removal is among the changes", needs: tracked) { trial in
            try await trial.plant(["folder/a.txt": "a", "b.txt": "b"])
            let folderID = try await trial.provider.attributesOfItem(path: trial["folder"]).id
            let otherID = try await trial.provider.attributesOfItem(path: trial["b.txt"]).id
            try await trial.expectChanges { files in
                try await files.removeItem(path: trial["folder"])
            } are: { changes in
                trial.expect(changes.removes(trial["folder"], id: folderID), "the removal is not reported: \(changes)")
                trial.expect(!changes.removes(trial["b.txt"], id: otherID), "a removal is reported that never was")
            }
        },
        Self("tracking.moved", "a move is reported, as one or as a removal and a new item", needs: tracked) { trial in
            try await trial.plant(["a.txt": "a"])
            try await trial.expectChanges { files in
                try await files.moveItem(path: trial["a.txt"], to: trial["b.txt"])
            } are: { changes in
                trial.expect(changes.updated(trial["b.txt"]) != nil, "the new place is not reported: \(changes)")
                trial.expect(changes.removes(trial["a.txt"]), "the old place is not reported: \(changes)")
            }
        },
        Self(
            "tracking.chain",
            "anchors follow each other: nothing is reported twice, and nothing is left out",
            needs: tracked
        ) {
            trial in
            let tracking = try trial.tracking
            var anchor = try await tracking.currentAnchor()
            for name in ["a", "b", "c"] {
                try await trial.plant([name: "x"])
                let changes = try await trial.allChanges(since: &anchor)
                let told = [trial["a"], trial["b"], trial["c"]].filter { changes.updated($0) != nil }
                trial.expectEqual(told, [trial.root.appending(name)], "files that are reported")
            }
        },
        Self("tracking.anchor-survives", "an anchor that was written down and read works as before", needs: tracked) {
            trial in
            let anchor = try await trial.tracking.currentAnchor()
            try await trial.plant(["a.txt": "a"])
            let written = try JSONEncoder().encode(anchor)
            var read = try JSONDecoder().decode(ChangeAnchor.self, from: written)
            let changes = try await trial.allChanges(since: &read)
            trial.expect(changes.updated(trial["a.txt"]) != nil, "the new file is not reported")
        },
        Self(
            "tracking.unknown-anchor",
            "an anchor that the storage does not know throws AnchorExpiredError",
            needs: tracked
        ) {
            trial in
            await trial.expectError("AnchorExpiredError", of: "changes", where: { $0 is AnchorExpiredError }) {
                try await trial.tracking.changes(since: ChangeAnchor(token: "ferry-unknown"))
            }
        },
        Self("tracking.replica", "a copy that follows the changes ends like the storage", needs: tracked) { trial in
            let files = try trial.files
            try await trial.plant(["a.txt": "a", "folder/b.txt": "b", "folder/inner/c.txt": "c"])
            var anchor = try await trial.tracking.currentAnchor()
            var replica = try await trial.replica()
            try await files.writeContents(path: trial["new.txt"], contents: Data(file: "n"))
            try await files.moveItem(path: trial["folder"], to: trial["moved"])
            try await files.copyItem(path: trial["moved/inner"], to: trial["copied"])
            try await files.removeItem(path: trial["a.txt"])
            try await files.moveItem(path: trial["new.txt"], to: trial["a.txt"])
            try await files.removeItem(path: trial["moved/inner"])
            try await files.create(folder: "folder", at: trial.root)
            for change in try await trial.allChanges(since: &anchor) { change.apply(to: &replica) }
            let paths = Set(try await trial.snapshot().entries.keys.map { trial[$0] })
            trial.expectEqual(replica.keys.sorted(), paths.sorted(), "paths")
        },
    ]
}

extension Trial {
    /// All changes since an anchor, which goes on to where they end.
    fileprivate func allChanges(since anchor: inout ChangeAnchor) async throws -> [TrackedChange] {
        var changes: [TrackedChange] = []
        var hasMore = true
        var portions = 0
        while hasMore {
            let set = try await tracking.changes(since: anchor)
            changes += set.changes
            anchor = set.anchor
            hasMore = set.hasMore
            portions += 1
            if portions > 1_000 {
                fail("the changes never end")
                throw TrialEnded()
            }
        }
        return changes
    }

    /// The paths of all items, with their identifiers, or an empty text where the storage has none.
    fileprivate func replica() async throws -> [ItemPath: String] {
        var replica: [ItemPath: String] = [:]
        for path in try await snapshot().entries.keys {
            replica[self[path]] = try await provider.attributesOfItem(path: self[path]).id ?? ""
        }
        return replica
    }

    fileprivate func expectChanges(
        of work: (any FileProvider) async throws -> Void,
        are judge: ([TrackedChange]) -> Void
    ) async throws {
        var anchor = try await tracking.currentAnchor()
        try await work(try files)
        judge(try await allChanges(since: &anchor))
        let rest = try await tracking.changes(since: anchor)
        expect(rest.changes.isEmpty, "the same changes are reported again")
    }
}

extension [TrackedChange] {
    /// The last that is reported of a path.
    fileprivate func updated(_ path: ItemPath) -> FileObject? {
        let items = compactMap { change -> FileObject? in
            guard case .updated(let item, _) = change, item.path == path else { return nil }
            return item
        }
        return items.last
    }

    /// Returns whether a path is reported as free, also by a move, or by the identifier of the item that was there.
    fileprivate func removes(_ path: ItemPath, id: String? = nil) -> Bool {
        contains { change in
            switch change {
            case .removed(let removed, _): removed == path
            case .removedItem(let removed): removed == id
            case .updated(_, let previous): previous == path
            }
        }
    }
}

extension TrackedChange {
    /// Does to a copy of paths and identifiers what has happened to the storage.
    fileprivate func apply(to items: inout [ItemPath: String]) {
        switch self {
        case .removed(let path, _): items = items.filter { $0.key != path && !$0.key.isBelow(path) }
        case .removedItem(let id):
            guard let path = items.first(where: { $0.value == id })?.key else { return }
            items = items.filter { $0.key != path && !$0.key.isBelow(path) }
        case .updated(let item, let previous):
            if let previous {
                items = Dictionary(items.map { ($0.key.replacing(previous, with: item.path), $0.value) }) { $1 }
            }
            items[item.path] = item.id ?? ""
        }
    }
}
