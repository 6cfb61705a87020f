import FerryCore
import FerryUndo
import Foundation
import NIOCore
import Synchronization
import Testing

@Suite("The last request of an undoing that was killed may be carried out at any time, and loses nothing")
struct LateRequestTests {
    struct Deed: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let work: @Sendable (UndoStage) async throws -> Void
    }

    static let deeds = [
        Deed(testDescription: "a file is replaced") {
            try await $0.files.writeContents(path: "/a", contents: Data("newer a".utf8), overwrite: true)
        },
        Deed(testDescription: "a file is written") {
            try await $0.files.writeContents(path: "/new", contents: Data("new".utf8))
        },
        Deed(testDescription: "a file is removed") { try await $0.files.removeItem(path: "/a") },
        Deed(testDescription: "a folder is removed") { try await $0.files.removeItem(path: "/f") },
        Deed(testDescription: "a file is moved over another") {
            try await $0.files.moveItem(path: "/f/b", to: "/a", overwrite: true)
        },
    ]

    private static func watched<Base: FileProvider & FileProviderReadWriteProgressive>(
        _ base: Base,
        before: @escaping WatchedFileProvider<Base>.Handler,
        after: @escaping WatchedFileProvider<Base>.Handler = { _ in }
    ) -> any FileProviderBasic & FileProviderOperations { WatchedFileProvider(base, before: before, after: after) }

    @Test("each request, before each call of the next undoing", arguments: [UndoStage.Kind.server, .plain], deeds)
    func nothingIsLost(kind: UndoStage.Kind, deed: Deed) async throws {
        var (sent, seen) = (1, 0)
        while sent < 60 {
            var (when, isReached) = (1, true)
            while isReached, when < 60 {
                guard let reached = try await run(kind, deed, sent: sent, carriedOut: when) else {
                    #expect(seen > 0)
                    return
                }
                (isReached, when, seen) = (reached, when + 1, seen + 1)
            }
            sent += 1
        }
        Issue.record("undoing has no end")
    }

    // `sent`: the number of the request that is sent last; `carriedOut`: the call of the next undoing before which it is
    // carried out. It returns `true` if the next undoing made so many calls, and `nil` if the first one ended before.
    /// Kills undoing at a request, which is carried out at a later moment.
    private func run(_ kind: UndoStage.Kind, _ deed: Deed, sent: Int, carriedOut: Int) async throws -> Bool? {
        let notebook = UndoNotebook()
        let stage = try UndoStage(kind, journal: notebook)
        try await stage.plant(["a": "the old a", "f/b": "b", "f/c": "c c"])
        let before = try await contents(of: stage)
        try await deed.work(stage)
        let all = before.union(try await contents(of: stage))
        let late = LateRequest()
        let killed = Task {
            let storage = Self.watched(stage.behind) { number in
                if number > sent { throw Killed() }
                if number == sent { await late.send() }
            } after: { number in
                guard number == sent else { return }
                await late.end()
                throw Killed()
            }
            try? await notebook.undo(on: UndoStorage(storage, shadow: stage.shadow))
            await late.end()
        }
        guard await late.wasSent() else { return nil }
        let isReached = Mutex(false)
        let storage = Self.watched(stage.behind) { number in
            guard number == carriedOut else { return }
            await late.carryOut()
            isReached.withLock { $0 = true }
        }
        // It may fail of what changes at that very moment.
        try? await goOn(notebook, UndoStorage(storage, shadow: stage.shadow))
        await late.carryOut()
        await killed.value
        for _ in 0..<3 {
            try await goOn(notebook, UndoStorage(Self.watched(stage.behind) { _ in }, shadow: stage.shadow))
        }
        let lost = all.subtracting(try await contents(of: stage))
        #expect(lost.isEmpty, "request \(sent), carried out before call \(carriedOut)")
        return isReached.withLock { $0 }
    }

    /// Goes on; what is not as it was left may be refused, and nothing else fails.
    private func goOn(_ notebook: UndoNotebook, _ storage: UndoStorage) async throws {
        do {
            try await notebook.settle(on: storage)
            try await notebook.undo(on: storage)
        } catch is UndoRefusal {}
    }

    /// The contents of all files, wherever they are: in their places, set aside, or copied to this machine.
    private func contents(of stage: UndoStage) async throws -> Set<String> {
        var found: Set<String> = []
        for try await element in TreeWalk(stage.behind, path: .root) {
            guard case .page(let items, folder: _) = element else { continue }
            for item in items where item.isRegularFile {
                found.insert(String(decoding: try await stage.behind.contents(path: item.path), as: UTF8.self))
            }
        }
        for (id, _) in await stage.shadow.items() {
            var data = Data()
            for try await chunk in try await stage.shadow.contents(id).0 {
                data.append(contentsOf: chunk.readableBytesView)
            }
            found.insert(String(decoding: data, as: UTF8.self))
        }
        return found
    }
}
