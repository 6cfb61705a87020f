import FerryCore
import FerryMemory
import FerryTestKit
import FerryUndo
import Foundation
import Synchronization
import Testing

@Suite("A storage that can't work for the moment loses nothing of what is undone")
struct PassingFaultTests {
    private typealias Flaky = FaultInjectingFileProvider<PlainFileProvider<MemoryFileProvider>>

    /// A server that is busy, and says for how long.
    private struct Busy: FileProviderHTTPError, RetryAfterError {
        var statusCode = 429
        var path: ItemPath { .root }
        var serverDescription: String? { nil }
        var retryAfter: Duration? = .seconds(60)
    }

    /// A clock that stands still, notes the waits, and does not wait.
    private final class Waits: Clock {
        let durations = Mutex<[Duration]>([])

        let now = ContinuousClock.now
        var minimumResolution: Duration { .zero }

        func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
            durations.withLock { $0.append(deadline - now) }
        }

        var count: Int { durations.withLock { $0.count } }
    }

    private let memory = MemoryFileProvider()
    private let server: Flaky
    private let files: UndoableFileProvider<Flaky>
    private let waits = Waits()
    private let losses = Losses()

    init() async throws {
        server = Flaky(PlainFileProvider(memory, copiesOnServer: true))
        let losses = losses
        var policy = UndoPolicy(whenNotKept: .goOn, onLoss: { path, _ in losses.add(path) })
        policy.retries = UndoRetries(clock: waits)
        files = UndoableFileProvider(server, policy: policy)
        for name in ["a", "b", "c"] {
            try await memory.writeContents(path: ItemPath.root.appending(name), contents: Data(name.utf8))
        }
        try await memory.create(folder: "to", at: .root)
    }

    private func names() async throws -> [String] {
        let top = try await files.contentsOfDirectory(path: .root)
        let below = try await files.contentsOfDirectory(path: "/to")
        return (top + below).map(\.path.string).sorted()
    }

    @Test("an item is set aside as soon as the storage can, and comes back")
    func removedLater() async throws {
        server.plan = FaultPlan([.init(.moveItem, path: "/a", on: .call(1), fault: .error(Busy()))])
        try await files.removeItem(path: "/a")
        #expect(try await names() == ["/b", "/c", "/to"])
        #expect(waits.count == 1 && losses.paths.isEmpty)
        #expect(waits.durations.withLock { $0.first ?? .zero } > .seconds(50))
        try await files.undo()
        #expect(try await memory.contents(path: "/a") == Data("a".utf8))
    }

    @Test("a wait is as long as the policy's random number says", arguments: [(0.0, 100), (1.0, 200)])
    func random(number: Double, milliseconds: Int) async throws {
        var policy = RetryPolicy(maximumAttempts: 2, firstDelay: .milliseconds(200))
        policy.random = { number }
        let noted = Mutex<[Duration]>([])
        let retries = UndoRetries(policy: policy, clock: waits) { wait in noted.withLock { $0.append(wait) } }
        let attempts = try await retries.run { attempt in
            if attempt == 1 { throw URLError(.networkConnectionLost) }
            return attempt
        }
        #expect(attempts == 2 && noted.withLock { $0 } == [.milliseconds(milliseconds)])
    }

    @Test("an item that was set aside is not looked for in its place when the answer was lost")
    func removedUnseen() async throws {
        let lost = FaultPlan.Fault.lostAnswer(URLError(.networkConnectionLost))
        server.plan = FaultPlan([.init(.moveItem, path: "/a", on: .call(1), fault: lost)])
        try await files.removeItem(path: "/a")
        #expect(server.count(of: .moveItem) == 1 && losses.paths.isEmpty)
        try await files.undo()
        #expect(try await memory.contents(path: "/a") == Data("a".utf8))
    }

    @Test("an item that can't be set aside stays, and is not removed for good", arguments: [60, 10_000])
    func stays(seconds: Int) async throws {
        let busy = FaultPlan.Fault.error(Busy(retryAfter: .seconds(seconds)))
        server.plan = FaultPlan([.init(.moveItem, .copyItem, fault: busy)])
        await #expect(throws: Busy.self) { try await files.removeItem(path: "/a") }
        #expect(try await names() == ["/a", "/b", "/c", "/to"])
        // Longer than a quarter of an hour nobody waits.
        #expect(waits.count == (seconds == 60 ? 3 : 0))
        #expect(server.count(of: .removeItem) == 0 && losses.paths.isEmpty && !files.canUndo)
    }

    @Test("a file is not replaced while its old content can't be kept")
    func replaced() async throws {
        server.plan = FaultPlan([.init(.copyItem, fault: .error(Busy()))])
        await #expect(throws: Busy.self) {
            try await files.writeContents(path: "/a", contents: Data("new".utf8), overwrite: true)
        }
        #expect(try await memory.contents(path: "/a") == Data("a".utf8))
        #expect(waits.count == 3 && losses.paths.isEmpty && !files.canUndo)
    }

    @Test("a write whose answer was lost is undone, though nobody could look at what came of it")
    func unseen() async throws {
        let cut = URLError(.networkConnectionLost)
        server.plan = FaultPlan([
            .init(
                .writeContents,
                path: "/a",
                fault: .meanwhile { [server] in
                    server.plan = FaultPlan([.init(.attributesOfItem, fault: .error(cut))])
                }
            ),
            .init(.writeContents, path: "/a", fault: .lostAnswer(cut)),
        ])
        await #expect(throws: URLError.self) {
            try await files.writeContents(path: "/a", contents: Data("new".utf8), overwrite: true)
        }
        server.plan = FaultPlan()
        #expect(try await memory.contents(path: "/a") == Data("new".utf8))
        try await files.undo()
        #expect(try await memory.contents(path: "/a") == Data("a".utf8))
    }

    @Test("a file is replaced as soon as its old content can be kept, of which one copy is made")
    func replacedLater() async throws {
        server.plan = FaultPlan([
            .init(.copyItem, on: .call(1), fault: .error(Busy())),
            .init(.copyItem, on: .call(2), fault: .lostAnswer(URLError(.networkConnectionLost))),
        ])
        try await files.writeContents(path: "/a", contents: Data("new".utf8), overwrite: true)
        #expect(try await memory.contents(path: "/a") == Data("new".utf8))
        #expect(server.count(of: .copyItem) == 2 && waits.count == 2 && losses.paths.isEmpty)
        // Moving the present content aside is repeated as well, and not replaced by a copy.
        server.plan = FaultPlan([.init(.moveItem, on: .call(1), fault: .error(Busy()))])
        try await files.undo()
        #expect(try await memory.contents(path: "/a") == Data("a".utf8))
        #expect(server.count(of: .copyItem) == 2 && waits.count == 3)
    }

    @Test("a server that answers 500 to each setting aside does not keep an item from being removed")
    func alwaysBroken() async throws {
        let broken = Busy(statusCode: 500, retryAfter: nil)
        server.plan = FaultPlan([.init(.moveItem, .copyItem, fault: .error(broken))])
        try await files.removeItem(path: "/a")
        #expect(try await names() == ["/b", "/c", "/to"])
        #expect(losses.paths == ["/a"] && !files.canUndo)
    }

    @Test("a step that is refused for the moment is repeated, and one that was done is not")
    func undoneLater() async throws {
        let destination: ItemPath = "/to"
        try await files.undoManager.group {
            for name in ["a", "b", "c"] {
                try await files.moveItem(path: .root.appending(name), to: destination.appending(name))
            }
        }
        let moved = try await names()
        let lost = FaultPlan.Fault.lostAnswer(URLError(.networkConnectionLost))
        server.plan = FaultPlan([
            .init(.moveItem, path: "/b", on: .call(1), fault: .error(Busy())),
            .init(.moveItem, path: "/a", on: .call(1), fault: lost),
        ])
        let before = server.count(of: .moveItem)
        try await files.undo()
        #expect(try await names() == ["/a", "/b", "/c", "/to"])
        #expect(server.count(of: .moveItem) - before == 4 && waits.count == 2)
        try await files.redo()
        #expect(try await names() == moved)
    }

    @Test("looking beforehand is repeated while the storage is busy, and not when nothing answers")
    func looksLater() async throws {
        try await files.moveItem(path: "/a", to: "/to/a")
        server.plan = FaultPlan([.init(.attributesOfItem, on: .call(1), fault: .error(Busy()))])
        try await files.undo()
        #expect(try await names() == ["/a", "/b", "/c", "/to"])
        #expect(waits.count == 1)
        server.plan = FaultPlan([.init(fault: .error(URLError(.cannotConnectToHost)))])
        await #expect(throws: URLError.self) { try await files.redo() }
        #expect(waits.count == 1)
    }

    @Test(
        "a copy on this machine that an attempt has made comes back with its extended attributes",
        arguments: [false, true]
    )
    func attributesAgain(isCarriedOut: Bool) async throws {
        let folder = try TemporaryFolder()
        let storage = WithAttributes(PlainFileProvider(memory, copiesOnServer: false))
        let server = FaultInjectingFileProvider(storage)
        let store = ShadowStore(folder: folder.url.appending(path: "shadow"), limit: 1 << 20)
        var policy = UndoPolicy()
        policy.retries = UndoRetries(clock: waits)
        let files = UndoableFileProvider(server, shadow: store, policy: policy)
        try await files.writeContents(path: "/a", contents: Data("new".utf8), overwrite: true)
        let colour = ["user.colour": Data("red".utf8)]
        try await storage.setAttributes(ItemAttributes(extendedAttributes: colour), path: "/a")
        let lost = URLError(.networkConnectionLost)
        server.plan = FaultPlan([
            .init(.writeStream, on: .call(1), fault: isCarriedOut ? .lostAnswer(lost) : .error(lost))
        ])
        let reads = server.count(of: .contentStream)
        try await files.undo()
        #expect(try await memory.contents(path: "/a") == Data("a".utf8) && waits.count == 1)
        // The copy, and where the request was carried out, a look at what is there now.
        #expect(server.count(of: .contentStream) - reads == (isCarriedOut ? 2 : 1))
        storage.values.withLock { $0 = [:] }
        try await files.redo()
        #expect(try await memory.contents(path: "/a") == Data("new".utf8))
        #expect(try await storage.extendedAttributes(path: "/a") == colour)
    }

    @Test("a copy on this machine stays while the request of the attempt that made it may be carried out")
    func copyOfAttempt() async throws {
        let folder = try TemporaryFolder()
        let server = FaultInjectingFileProvider(PlainFileProvider(memory, copiesOnServer: false))
        var policy = UndoPolicy()
        policy.retries = UndoRetries(clock: waits)
        let store = ShadowStore(folder: folder.url.appending(path: "shadow"), limit: 1 << 20)
        let files = UndoableFileProvider(server, shadow: store, policy: policy)
        try await files.writeContents(path: "/a", contents: Data("new".utf8), overwrite: true)
        server.plan = FaultPlan([
            .init(.writeStream, on: .call(1), fault: .error(URLError(.networkConnectionLost))),
            .init(.writeStream, on: .call(2), fault: .error(CocoaError(.fileWriteNoPermission))),
        ])
        await #expect(throws: CocoaError.self) { try await files.undo() }
        #expect(waits.count == 1)
        // What the first attempt sent is carried out: of the new content only the copy is left.
        try await memory.writeContents(path: "/a", contents: Data("a".utf8), overwrite: true)
        let copies = try folder.names("shadow").map { folder.read("shadow/" + $0) }
        #expect(copies.contains("new"))
    }

    @Test("an item comes out of a trash that nobody can list, once, also when the answer is lost")
    func unlistedTrash() async throws {
        let server = FaultInjectingFileProvider(UnlistedTrash(memory))
        var policy = UndoPolicy()
        policy.retries = UndoRetries(clock: waits)
        let files = UndoableFileProvider(server, policy: policy)
        try await files.trashItem(path: "/a")
        let lost = FaultPlan.Fault.lostAnswer(URLError(.networkConnectionLost))
        server.plan = FaultPlan([.init(.restoreFromTrash, on: .call(1), fault: lost)])
        try await files.undo()
        #expect(try await memory.contents(path: "/a") == Data("a".utf8))
        #expect(server.count(of: .restoreFromTrash) == 1 && server.count(of: .trashedItems) == 0)
        server.plan = FaultPlan([.init(.trashItem, on: .call(1), fault: lost)])
        await #expect(throws: URLError.self) { try await files.trashItem(path: "/b") }
        try await files.undo()
        #expect(try await memory.contents(path: "/b") == Data("b".utf8))
    }
}

/// A storage whose trash gives items back and does not list them, as OneDrive's.
private struct UnlistedTrash<Base: FileProviderBasic>: FileProviderWrapper {
    let base: Base

    init(_ base: Base) { self.base = base }

    var capabilities: FileProviderCapabilities {
        var capabilities = base.capabilities
        capabilities.listsTrash = false
        return capabilities
    }
}

extension UnlistedTrash: FileProviderOperations where Base: FileProviderOperations {}
extension UnlistedTrash: FileProviderReadWrite where Base: FileProviderReadWrite {}
extension UnlistedTrash: FileProviderReadWriteProgressive where Base: FileProviderReadWriteProgressive {}

extension UnlistedTrash: FileProviderTrash where Base: FileProviderTrash {
    func trashedItems() async throws -> [TrashedItem] { throw CocoaError(.featureUnsupported) }
}

/// A storage whose files share one set of extended attributes.
private final class WithAttributes<Base: FileProviderBasic>: FileProviderWrapper, FileProviderItemAttributes {
    let base: Base
    let values = Mutex<[String: Data]>([:])

    init(_ base: Base) { self.base = base }

    var settableAttributes: ItemAttributes.Kinds { .extendedAttributes }

    func setAttributes(_ attributes: ItemAttributes, path: ItemPath) async throws {
        values.withLock { $0.merge(attributes.extendedAttributes) { $1 } }
    }

    func extendedAttributes(path: ItemPath) async throws -> [String: Data] { values.withLock { $0 } }
}

extension WithAttributes: FileProviderOperations where Base: FileProviderOperations {}
extension WithAttributes: FileProviderReadWrite where Base: FileProviderReadWrite {}
extension WithAttributes: FileProviderReadWriteProgressive where Base: FileProviderReadWriteProgressive {}
