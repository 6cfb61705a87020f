import FerryCore
import Foundation
import Synchronization

extension ConformanceCheck {
    private static let watched: [ConformanceNeed] = .writing + [.monitor]

    /// Whoever watches hears of what happens.
    static let monitoring: [ConformanceCheck] = [
        Self("monitoring.created", "a new file is reported", needs: watched) { trial in
            try await trial.expectReport("the new file", under: "/") { files in
                try await files.writeContents(path: trial["a.txt"], contents: Data(file: "a"))
            } where: { change in
                change.tells(trial["a.txt"], [.created, .modified])
            }
        },
        Self("monitoring.modified", "a new content is reported", needs: watched) { trial in
            try await trial.plant(["a.txt": "a"])
            try await trial.expectReport("the new content", under: "/") { files in
                try await files.writeContents(path: trial["a.txt"], contents: Data(file: "new"), overwrite: true)
            } where: { change in
                change.tells(trial["a.txt"], [.modified, .created, .attributes])
            }
        },
        Self("monitoring.removed", "a removal is reported", needs: watched) { trial in
            try await trial.plant(["a.txt": "a"])
            try await trial.expectReport("the removal", under: "/") { files in
                try await files.removeItem(path: trial["a.txt"])
            } where: { change in
                change.tells(trial["a.txt"], [.removed])
            }
        },
        Self("monitoring.moved", "a move is reported, at its new place", needs: watched) { trial in
            try await trial.plant(["a.txt": "a"])
            try await trial.expectReport("the move", under: "/") { files in
                try await files.moveItem(path: trial["a.txt"], to: trial["b.txt"])
            } where: { change in
                change.tells(trial["b.txt"], [.moved(from: trial["a.txt"]), .created])
            }
        },
        Self("monitoring.deep", "what happens deep below is reported", needs: watched) { trial in
            try await trial.plant(["folder/inner/a.txt": "a"])
            try await trial.expectReport("the new file", under: "folder") { files in
                try await files.writeContents(path: trial["folder/inner/b.txt"], contents: Data(file: "b"))
            } where: { change in
                change.tells(trial["folder/inner/b.txt"], [.created, .modified])
            }
        },
        Self(
            "monitoring.new-folder",
            "what happens in a folder that is newer than the watch is reported",
            needs: watched
        ) {
            trial in
            try await trial.expectReport("the new file", under: "/") { files in
                try await files.create(folder: "new", at: trial.root)
                try await files.writeContents(path: trial["new/a.txt"], contents: Data(file: "a"))
            } where: { change in
                change.tells(trial["new/a.txt"], [.created, .modified])
            }
        },
        Self("monitoring.elsewhere", "what happens elsewhere is not reported", needs: watched) { trial in
            try await trial.plant(["folder/a.txt": "a", "folder2/a.txt": "a"])
            let changes = try await trial.report(under: "folder", until: { $0.path == trial["folder/last"] }) { files in
                try await files.writeContents(path: trial["folder2/b.txt"], contents: Data(file: "b"))
                try await files.writeContents(path: trial["c.txt"], contents: Data(file: "c"))
                try await files.writeContents(path: trial["folder/last"], contents: Data(file: "l"))
            }
            for change in changes where change.path != trial["folder"] && !change.path.isBelow(trial["folder"]) {
                trial.fail("\(change) is reported")
            }
        },
        Self("monitoring.order", "changes of one item come in their order", needs: watched) { trial in
            let changes = try await trial.report(under: "/", until: { $0 == FileChange(.removed, path: trial["a"]) }) {
                try await $0.writeContents(path: trial["a"], contents: Data(file: "a"))
                try await $0.removeItem(path: trial["a"])
            }
            let kinds = changes.filter { $0.path == trial["a"] }.map(\.kind)
            trial.expectEqual(kinds.last, .removed, "what is told last")
            trial.expectEqual(kinds.firstIndex(of: .removed), kinds.count - 1, "the place of the removal")
        },
        Self("monitoring.missing", "watching a missing item throws fileNoSuchFile", needs: watched) { trial in
            await trial.expectRefusal(.fileNoSuchFile, naming: trial["gone"], of: "watching") {
                try await trial.monitor.changes(under: trial["gone"])
            }
        },
        Self("monitoring.end", "a watch ends when what is watched is removed", needs: watched) { trial in
            try await trial.plant(["folder/a.txt": "a"])
            let monitor = try trial.monitor
            let changes = try await monitor.changes(under: trial["folder"])
            try await trial.files.removeItem(path: trial["folder"])
            try await withDeadline(trial.timeout) {
                for try await _ in changes {}
            }
        },
        Self("monitoring.two", "two who watch both hear of it", needs: watched) { trial in
            let monitor = try trial.monitor
            let first = try await monitor.changes(under: trial.root)
            let second = try await monitor.changes(under: trial.root)
            try await trial.files.writeContents(path: trial["a.txt"], contents: Data(file: "a"))
            for changes in [first, second] {
                try await withDeadline(trial.timeout) {
                    for try await change in changes where change.tells(trial["a.txt"], [.created, .modified]) { return }
                }
            }
        },
    ]
}

extension FileChange {
    /// Returns whether the change tells of one of these happenings at a path, or that it should be listed again.
    fileprivate func tells(_ path: ItemPath, _ kinds: [Kind]) -> Bool {
        if kind == .rescan { return self.path == path || path.isBelow(self.path) }
        return self.path == path && kinds.contains(kind)
    }
}

extension Trial {
    /// All changes that are reported while something is done, up to one that ends the wait.
    fileprivate func report(
        under path: ItemPath,
        until isLast: @escaping @Sendable (FileChange) -> Bool,
        _ work: (any FileProvider) async throws -> Void
    ) async throws -> [FileChange] {
        let changes = try await monitor.changes(under: self[path])
        try await work(try files)
        return try await withDeadline(timeout) {
            var met: [FileChange] = []
            for try await change in changes {
                met.append(change)
                if isLast(change) { break }
            }
            return met
        }
    }

    fileprivate func expectReport(
        _ what: String,
        under path: ItemPath,
        of work: (any FileProvider) async throws -> Void,
        where isWanted: @escaping @Sendable (FileChange) -> Bool
    ) async throws {
        let met = Mutex<[FileChange]>([])
        do {
            _ = try await report(under: path) { change in
                met.withLock { $0.append(change) }
                return isWanted(change)
            } _: {
                try await work($0)
            }
            expect(met.withLock { $0 }.contains(where: isWanted), "\(what) is not reported before the watch ends")
        } catch is DeadlinePassed {
            fail("\(what) is not reported, but \(met.withLock { $0 })")
        }
    }
}
