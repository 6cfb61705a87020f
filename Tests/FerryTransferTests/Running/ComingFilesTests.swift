import FerryCore
import FerryMemory
import FerryUndo
import Foundation
import NIOCore
import Synchronization
import Testing

@testable import FerryTransfer

@Suite("New files of a folder are recorded together")
struct ComingFilesTests {
    /// The entries that were written down.
    final class Journal: UndoJournal {
        let target: MemoryFileProvider
        let begun = Mutex<[UUID: UndoEntry]>([:])
        let ended = Mutex<[UUID: UndoEntry]>([:])
        /// The files that were there already when they were written down.
        let late = Mutex<[ItemPath]>([])

        init(target: MemoryFileProvider) {
            self.target = target
        }

        func begins(_ entry: UndoEntry) async throws {
            for case .added(let path, _, _) in entry.steps where (try? await target.attributesOfItem(path: path)) != nil
            {
                late.withLock { $0.append(path) }
            }
            begun.withLock { $0[entry.id] = entry }
        }

        func ended(_ entry: UndoEntry) async { ended.withLock { $0[entry.id] = entry } }

        var writes: Int { begun.withLock { $0.count } + ended.withLock { $0.count } }

        /// The files that came, as they were written down.
        var added: [ItemPath] {
            ended.withLock { $0.values.flatMap(\.steps) }.compactMap { step in
                if case .added(let path, let stamp?, _) = step, stamp.size == 2 { path } else { nil }
            }.sorted()
        }
    }

    let source = MemoryFileProvider()
    let target = MemoryFileProvider()
    let journal: Journal

    init() async throws {
        journal = Journal(target: target)
        for folder in 0..<3 {
            try await source.create(folder: "d\(folder)", at: "/")
            for file in 0..<100 {
                try await source.writeContents(
                    path: ItemPath.root.appending("d\(folder)").appending("f\(file)"),
                    contents: Data("ab".utf8)
                )
            }
        }
    }

    private func recording() -> UndoableFileProvider<MemoryFileProvider> {
        var policy = UndoPolicy()
        policy.looksLater = true
        return UndoableFileProvider(target, policy: policy, journal: journal)
    }

    private func transfer(to storage: any TransferPlace.Storage) throws -> Transfer {
        try Transfer(
            from: TransferPlace(source),
            to: TransferPlace(storage, "/copy"),
            retryPolicy: RetryPolicy(maximumAttempts: 1)
        )
    }

    @Test("what was written in bulk when its answer got lost is recorded, and nothing else")
    func lostAnswer() async throws {
        var policy = UndoPolicy()
        policy.looksLater = true
        let bulk = InBulk(target) { call in
            guard call.method == .writeFiles else { return }
            try await target.writeContents(path: "/1", contents: Data("ab".utf8))
            try await target.writeContents(path: "/3", contents: Data("somebody else's".utf8))
            throw URLError(.networkConnectionLost)
        }
        let recording = UndoableFileProvider(bulk, policy: policy, journal: journal)
        let files = (1...3).map { BulkFile(path: ItemPath.root.appending("\($0)"), contents: Data("ab".utf8)) }
        await #expect(throws: URLError.self) { _ = try await recording.writeFiles(files, overwrite: false) }
        #expect(journal.added == ["/1"])
        #expect(journal.late.withLock { $0 } == [])
    }

    private func files() async throws -> [ItemPath] {
        var files: [ItemPath] = []
        for try await element in TreeWalk(target, path: "/copy") {
            if case .page(let items, folder: _) = element { files += items.filter(\.isRegularFile).map(\.path) }
        }
        return files.sorted()
    }

    @Test("before the first of them comes, and after the last: not each by itself")
    func together() async throws {
        let storage = recording()
        let report = try await transfer(to: storage).run()
        await storage.finishLooking()
        #expect(report.counts[.add] == 300)
        #expect(journal.late.withLock { $0 } == [])
        #expect(journal.added == (try await files()))
        // Four folders were made, three got their dates, and each of these has its files written down in two portions.
        #expect(journal.writes == 2 * (4 + 3 + 6))
        #expect(journal.ended.withLock { $0.values.allSatisfy(\.isComplete) })
    }

    @Test("what did not come is not among what did; what was not tried any more neither")
    func someFail() async throws {
        let storage = recording()
        // Where a folder is, no file comes.
        try await target.create(folder: "copy", at: "/")
        try await target.create(folder: "d1", at: "/copy")
        var options = TransferOptions()
        options.concurrency = 2
        let transfer = try Transfer(
            from: TransferPlace(source),
            to: TransferPlace(storage, "/copy"),
            options: options,
            retryPolicy: RetryPolicy(maximumAttempts: 1)
        )
        let target = target
        let report = try await transfer.run { event in
            guard case .did(let action) = event, action.path == "d1/f3" else { return }
            // Somebody else is quicker.
            Task { try await target.writeContents(path: "/copy/d1/f9", contents: Data("theirs".utf8)) }
        }
        await storage.finishLooking()
        let theirs = try await target.contents(path: "/copy/d1/f9") == Data("theirs".utf8)
        #expect(report.failures.count == (theirs ? 1 : 0))
        #expect(journal.added == (try await files()).filter { !theirs || $0 != "/copy/d1/f9" })
    }

    @Test("cancelled in the midst, what has come is written down")
    func cancelled() async throws {
        let storage = recording()
        let transfer = try transfer(to: storage)
        let run = Task {
            try await transfer.run { event in
                if case .did(let action) = event, action.path == "d2/f40" { withUnsafeCurrentTask { $0?.cancel() } }
            }
        }
        _ = await run.result
        await storage.finishLooking()
        #expect(journal.added == (try await files()))
        #expect(journal.begun.withLock { Set($0.keys) } == journal.ended.withLock { Set($0.keys) })
    }

    @Test("only files of known lengths are announced, those of each folder together, and 64 at most")
    func announced() {
        let place = TransferPlace(target, "/copy")
        func action(_ path: String, size: Int64? = 2, kind: TransferAction.Kind = .add) -> TransferAction {
            let path = ItemPath.root.appending(path: ItemPath("/" + path) ?? .root)
            var item = FileObject(path: path, type: .file)
            item.size = size
            return TransferAction(kind, path, .missing, source: item)
        }
        let actions =
            [action("a/1"), action("a/2", size: nil), action("a/3"), action("a/4", kind: .update), action("b/1")]
            + (0..<65).map { action("c/\($0)") } + [action("d/1", size: nil), action("d/2", size: nil)]
        let works = place.works(actions)
        #expect(works.map(\.action) == actions)
        let groups = works.map { $0.coming.map { ObjectIdentifier($0) } }
        #expect(groups[0] != nil && groups[0] == groups[2])
        // Alone, or of unknown length, or in the place of another.
        for index in [1, 3, 4, 69, 70, 71] { #expect(groups[index] == nil, "\(index)") }
        #expect(Set(groups[5..<69]).count == 1 && groups[5] != nil && groups[5] != groups[0])
    }

    @Test("killed in the midst, what has come is found, and nothing of somebody else's is taken for it")
    func killed() async throws {
        let storage = recording()
        let report = try await transfer(to: storage).run()
        #expect(report.isComplete)
        // As if the process had died when ten files had come to each folder, and somebody had put another there since.
        for path in try await files() {
            let number = Int(path.lastName.dropFirst()) ?? 0
            if number >= 10 { try await target.removeItem(path: path) }
        }
        try await target.writeContents(path: "/copy/d0/f70", contents: Data("theirs".utf8))
        let begun = journal.begun.withLock {
            $0.values.filter { $0.steps.contains { $0.path.lastName.hasPrefix("f") } }
        }
        #expect(begun.count == 6)
        let undo = UndoStorage(target, shadow: nil)
        let outcome = try await UndoPerformer().undo(begun.map { UndoPerformer.Work($0, on: undo) })
        #expect(outcome.failure == nil)
        #expect(try await files() == ["/copy/d0/f70"])
    }
}
