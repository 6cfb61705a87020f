import FerryCore
import FerryMemory
import FerryTestKit
import Foundation
import Testing

@Suite("A snapshot of a tree")
struct TreeSnapshotTests {
    private let memory = MemoryFileProvider()

    /// Applies changes to a list of paths with versions, as somebody would who mirrors the storage.
    private func apply(_ changes: [TrackedChange], to model: inout [ItemPath: String]) {
        for change in changes {
            switch change {
            case .removed(let path, _):
                model = model.filter { $0.key != path && !$0.key.isBelow(path) }
            case .removedItem(let id): Issue.record("a snapshot knows the path of \(id)")
            case .updated(let file, let previous):
                if let previous { model[previous] = nil }
                model[file.path] = file.eTag ?? ""
            }
        }
    }

    private func contents() async throws -> [ItemPath: String] {
        let files = try await memory.searchFiles(path: "/", recursive: true, query: .all, foundItemHandler: nil)
        return Dictionary(uniqueKeysWithValues: files.map { ($0.path, $0.eTag ?? "") })
    }

    @Test("leads by its changes from one tree to any other", arguments: 0..<60)
    func random(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<12 { await step(&random) }
        let anchor = try await TreeSnapshot(of: memory).anchor()
        let start = try await memory.currentAnchor()
        var model = try await contents()
        var second = model
        for _ in 0..<Int.random(in: 1...12, using: &random) { await step(&random) }
        // The memory storage's own history must lead to the same.
        apply(try await memory.changes(since: start).changes, to: &second)
        #expect(second == (try await contents()), "seed \(seed)")
        let set = try await TreeSnapshot(anchor).changes(until: memory)
        apply(set.changes, to: &model)
        #expect(model == (try await contents()), "seed \(seed)")
        #expect(try await TreeSnapshot(set.anchor).changes(until: memory).changes.isEmpty)
    }

    @Test("is made again where a folder was gone when it was to be listed, a few times", arguments: [1, 2, 3, 4])
    func vanishing(count: Int) async throws {
        try await memory.create(folder: "folder", at: "/")
        try await memory.writeContents(path: "/folder/a", contents: Data("a".utf8))
        let whole = try await TreeSnapshot(of: memory)
        let fault = FaultPlan.Fault.error(CocoaError.noSuchItem("/folder"))
        let rules = (1...count).map {
            FaultPlan.Rule(.directoryListing, path: "/folder", on: .call($0), fault: fault)
        }
        let vanishing = FaultInjectingFileProvider(memory, plan: FaultPlan(rules))
        if count < 3 {
            #expect(try await TreeSnapshot(of: vanishing) == whole)
        } else {
            await #expect(throws: CocoaError.self) { try await TreeSnapshot(of: vanishing) }
        }
    }

    @Test("is an error at once where its own folder is gone")
    func gone() async throws {
        let rule = FaultPlan.Rule(.directoryListing, path: "/", on: .call(1), fault: .error(CocoaError.noSuchItem("/")))
        let gone = FaultInjectingFileProvider(memory, plan: FaultPlan([rule]))
        await #expect(throws: CocoaError.self) { try await TreeSnapshot(of: gone) }
        #expect(try await TreeSnapshot(of: gone).anchor() == TreeSnapshot(of: memory).anchor())
    }

    private func step(_ random: inout SeededGenerator) async {
        func path() -> ItemPath {
            (0..<Int.random(in: 1...3, using: &random)).reduce(.root) { path, _ in
                path.appending(["a", "b", "c"].randomElement(using: &random) ?? "a")
            }
        }
        // Changes that can't be made are left out: any tree will do.
        switch Int.random(in: 0..<5, using: &random) {
        case 0, 1: try? await memory.create(folder: path().lastName, at: path().parent)
        case 2: try? await memory.writeContents(path: path(), contents: Data("x".utf8), overwrite: true)
        case 3: try? await memory.moveItem(path: path(), to: path(), overwrite: Bool.random(using: &random))
        default: try? await memory.removeItem(path: path())
        }
    }

    @Test("tells a rename as a move")
    func rename() async throws {
        try await memory.writeContents(path: "/a", contents: Data("x".utf8))
        let snapshot = try await TreeSnapshot(of: memory)
        try await memory.moveItem(path: "/a", to: "/b")
        let file = try await memory.attributesOfItem(path: "/b")
        #expect(try await snapshot.changes(until: memory).changes == [.updated(file, previousPath: "/a")])
    }

    @Test("does not take any text for an anchor")
    func foreignAnchor() {
        #expect(throws: AnchorExpiredError.self) { try TreeSnapshot(ChangeAnchor(token: "rubbish")) }
    }
}
