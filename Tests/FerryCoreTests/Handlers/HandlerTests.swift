import Dispatch
import FerryCore
import FerryMemory
import Foundation
import NIOCore
import Synchronization
import Testing

/// A delegate that notes the calls and questions that it gets, in order.
private final class Witness: FileProviderDelegate, FileOperationDelegate {
    let told = Mutex<[String]>([])
    let asked = Mutex<[String]>([])
    let errors = Mutex<[String]>([])
    private let vetoed: Set<String>
    private let proceeds: Bool
    private let queueKey: DispatchSpecificKey<String>

    init(vetoing vetoed: Set<String> = [], proceeds: Bool = true, queueKey: DispatchSpecificKey<String>) {
        self.vetoed = vetoed
        self.proceeds = proceeds
        self.queueKey = queueKey
    }

    private func note(_ list: borrowing Mutex<[String]>, _ text: String) {
        let isRightQueue = DispatchQueue.getSpecific(key: queueKey) == "callbacks"
        list.withLock { $0.append(isRightQueue ? text : "\(text) on the wrong queue") }
    }

    func fileProvider(_ provider: any FileProviderBasic, didSucceed operation: FileOperationType) {
        note(told, "did \(operation)")
    }

    func fileProvider(_ provider: any FileProviderBasic, didFail operation: FileOperationType, error: any Error) {
        note(told, "failed \(operation): \((error as? CocoaError)?.code.rawValue ?? 0)")
    }

    func fileProvider(_ provider: any FileProviderBasic, shouldOperate operation: FileOperationType) -> Bool {
        note(asked, "\(operation)")
        return !vetoed.contains(operation.source.path?.lastName ?? "")
    }

    func fileProvider(
        _ provider: any FileProviderBasic,
        shouldProceedAfterError error: any Error,
        operation: FileOperationType
    ) -> Bool {
        note(errors, "\(operation)")
        return proceeds
    }
}

@Suite("Completion handlers")
struct HandlerTests {
    private let queueKey = DispatchSpecificKey<String>()
    private let provider: MemoryFileProvider

    init() {
        let queue = DispatchQueue(label: "callbacks")
        queue.setSpecific(key: queueKey, value: "callbacks")
        provider = MemoryFileProvider(pageSize: 2, environment: FileProviderEnvironment(callbackQueue: queue))
    }

    private func makeTree() async throws {
        try await provider.create(folder: "a", at: "/")
        try await provider.create(folder: "b", at: "/a")
        for name in ["1", "2", "3"] {
            try await provider.writeContents(path: ItemPath("/a/b").appending(name), contents: Data(name.utf8))
        }
    }

    /// Runs a handler form and gives what the handler got, once it was certainly not called twice.
    private func result<Value: Sendable>(
        _ call: (@escaping @Sendable (Value) -> Void) -> Progress
    ) async throws -> (Value, Progress) {
        let calls = Mutex<[Value]>([])
        let (stream, signal) = AsyncStream<Void>.makeStream()
        let key = queueKey
        let progress = call { value in
            if DispatchQueue.getSpecific(key: key) == "callbacks" { calls.withLock { $0.append(value) } }
            signal.finish()
        }
        for await _ in stream {}
        await provider.environment.operationQueue.barrier()
        await withCheckedContinuation { continuation in
            provider.environment.callbackQueue.async { continuation.resume() }
        }
        let values = calls.withLock { $0 }
        try #require(values.count == 1)
        return (values[0], progress)
    }

    @Test("are called once, on the callback queue, with a finished progress")
    func once() async throws {
        let (error, progress) = try await result { done in
            provider.writeContents(path: "/x", contents: Data(count: 10)) { done($0.map { "\($0)" }) }
        }
        #expect(error == nil)
        #expect(progress.isFinished && progress.fractionCompleted == 1 && progress.totalUnitCount == 10)
        #expect(progress.operationType == .modify(path: "/x"))
        #expect(progress.kind == .file && progress.startTime != nil)
        let (data, _) = try await result { done in
            provider.contents(path: "/x", offset: 8) { data, _ in done(data) }
        }
        #expect(data == Data(count: 2))
    }

    @Test("get the errors of the table")
    func errors() async throws {
        let (code, _) = try await result { done in
            provider.attributesOfItem(path: "/gone") { _, error in done((error as? CocoaError)?.code) }
        }
        #expect(code == .fileNoSuchFile)
    }

    @Test("of a cancelled operation get userCancelled, even while the queue sleeps")
    func cancelling() async throws {
        provider.environment.operationQueue.isSuspended = true
        let calls = AsyncStream<CocoaError.Code?>.makeStream()
        let progress = provider.create(folder: "never", at: "/") { error in
            calls.continuation.yield((error as? CocoaError)?.code)
            calls.continuation.finish()
        }
        progress.cancel()
        var codes: [CocoaError.Code?] = []
        for await code in calls.stream { codes.append(code) }
        #expect(codes == [.userCancelled])
        provider.environment.operationQueue.isSuspended = false
        await provider.environment.operationQueue.barrier()
        await #expect(throws: CocoaError.self) { try await provider.attributesOfItem(path: "/never") }
    }

    @Test("stream a file in order, facts first")
    func streaming() async throws {
        let content = Data((0..<600_000).map { UInt8(truncatingIfNeeded: $0) })
        try await provider.writeContents(path: "/x", contents: content)
        let seen = Mutex<(facts: FileContentFacts?, data: Data)>((nil, Data()))
        let (error, _) = try await result { done in
            provider.contentStream(path: "/x", range: .from(100)) { facts in
                seen.withLock { $0.facts = facts }
            } progressHandler: { offset, chunk in
                seen.withLock {
                    if $0.facts != nil, offset == 100 + $0.data.count { $0.data += Data(chunk.readableBytesView) }
                }
            } completionHandler: {
                done($0.map { "\($0)" })
            }
        }
        #expect(error == nil)
        #expect(seen.withLock { $0.data } == content.dropFirst(100))
        #expect(seen.withLock { $0.facts?.size } == 600_000)
    }

    @Test("the delegate hears of each operation once, and of questions never")
    func delegate() async throws {
        let witness = Witness(queueKey: queueKey)
        provider.environment.delegate = witness
        _ = try await result { done in provider.create(folder: "a", at: "/") { _ in done(0) } }
        _ = try await result { done in provider.attributesOfItem(path: "/a") { _, _ in done(0) } }
        _ = try await result { done in provider.create(folder: "a", at: "/") { _ in done(0) } }
        _ = try await result { done in provider.contents(path: "/gone") { _, _ in done(0) } }
        #expect(
            witness.told.withLock { $0 } == [
                "did Creation of “a”",
                "failed Creation of “a”: \(CocoaError.Code.fileWriteFileExists.rawValue)",
                "failed Reading of “gone”: \(CocoaError.Code.fileNoSuchFile.rawValue)",
            ]
        )
    }

    @Test("the operation delegate is asked for every single item of a copy, a move and a removal")
    func asking() async throws {
        try await makeTree()
        let witness = Witness(queueKey: queueKey)
        provider.environment.fileOperationDelegate = witness
        let items = ["a", "b", "1", "2", "3"]
        _ = try await result { done in provider.copyItem(path: "/a", to: "/copy") { done($0 == nil) } }
        #expect(witness.asked.withLock { $0 } == items.map { "Copy of “\($0)”" })
        witness.asked.withLock { $0 = [] }
        _ = try await result { done in provider.moveItem(path: "/a", to: "/moved") { done($0 == nil) } }
        #expect(witness.asked.withLock { $0 } == items.map { "Move of “\($0)”" })
        witness.asked.withLock { $0 = [] }
        _ = try await result { done in provider.removeItem(path: "/moved") { done($0 == nil) } }
        #expect(witness.asked.withLock { $0 } == ["moved", "b", "1", "2", "3"].map { "Removal of “\($0)”" })
        #expect(try await provider.contentsOfDirectory(path: "/").map(\.name) == ["copy"])
        #expect(try await provider.contentsOfDirectory(path: "/copy/b").count == 3)
    }

    @Test("what the operation delegate forbids stays, with the folders above it")
    func veto() async throws {
        try await makeTree()
        let witness = Witness(vetoing: ["2"], queueKey: queueKey)
        provider.environment.fileOperationDelegate = witness
        let (succeeded, _) = try await result { done in provider.removeItem(path: "/a") { done($0 == nil) } }
        #expect(succeeded)
        #expect(try await provider.contentsOfDirectory(path: "/a/b").map(\.name) == ["2"])
        _ = try await result { done in provider.moveItem(path: "/a", to: "/c") { done($0 == nil) } }
        #expect(try await provider.contentsOfDirectory(path: "/a/b").map(\.name) == ["2"])
        #expect(try await provider.contentsOfDirectory(path: "/c/b").isEmpty)
    }

    @Test("after an error the operation delegate decides whether to go on", arguments: [true, false])
    func proceeding(goesOn: Bool) async throws {
        try await makeTree()
        try await provider.create(folder: "c", at: "/")
        try await provider.create(folder: "b", at: "/c")
        try await provider.writeContents(path: "/c/b/1", contents: Data("old".utf8))
        let witness = Witness(proceeds: goesOn, queueKey: queueKey)
        provider.environment.fileOperationDelegate = witness
        try await provider.removeItem(path: "/a/b/2")
        try await provider.create(folder: "2", at: "/c/b")
        try await provider.writeContents(path: "/a/b/2", contents: Data("file".utf8))
        let (code, _) = try await result { done in
            provider.copyItem(path: "/a", to: "/c", overwrite: true) { done(($0 as? CocoaError)?.code) }
        }
        #expect(code == (goesOn ? nil : .fileWriteFileExists))
        #expect(witness.errors.withLock { $0 } == ["Copy of “2”"])
        let names = try await provider.contentsOfDirectory(path: "/c/b").map(\.name)
        #expect(names == (goesOn ? ["1", "2", "3"] : ["1", "2"]))
        #expect(try await provider.contents(path: "/c/b/1") == Data("1".utf8))
    }

    @Test("notifications are told at once and then together, until unregistered")
    func notifications() async throws {
        let (calls, call) = AsyncStream<Void>.makeStream()
        let start = ContinuousClock.now
        provider.registerNotification(path: "/") { call.yield() }
        #expect(provider.isRegisteredForNotification(path: "/"))
        #expect(!provider.isRegisteredForNotification(path: "/a"))
        // Registering takes effect soon, not at once: make changes until the first call comes.
        let writer = Task {
            var number = 0
            while !Task.isCancelled {
                try await provider.writeContents(path: "/x", contents: Data("\(number)".utf8), overwrite: true)
                number += 1
                await Task.yield()
            }
            return number
        }
        var iterator = calls.makeAsyncIterator()
        for _ in 0..<4 { await iterator.next() }
        let elapsed = ContinuousClock.now - start
        writer.cancel()
        _ = await writer.result
        // Three full pauses lie between four calls, whatever the number of changes was.
        #expect(elapsed >= .milliseconds(600))
        provider.unregisterNotification(path: "/")
        #expect(!provider.isRegisteredForNotification(path: "/"))
    }
}
