import FerryCore
import FerryTestKit
import Foundation
import NIOCore
import Testing

@testable import FerryCache

@Suite("Who asks the same at the same time")
struct SharedRequestTests {
    private static let questions: [(FileProviderCall.Method, @Sendable (CachedMemory) async throws -> String)] = [
        (.contentStream, { try await $0.read("/a") }),
        (.directoryListing, { try await $0.names().joined() }),
        (.attributesOfItem, { try await $0.files.attributesOfItem(path: "/a").name }),
        (.storageProperties, { try await $0.files.storageProperties().name ?? "" }),
    ]

    @Test("waits for one request: a hundred of them", arguments: 0..<4)
    func hundred(question: Int) async throws {
        let (method, ask) = Self.questions[question]
        let cached = CachedMemory()
        try await cached.write("/a", "text")
        let gate = Gate()
        cached.counted.plan = FaultPlan([.init(method, on: .call(1), fault: .meanwhile { await gate.wait() })])
        let answers = try await withThrowingTaskGroup(of: String.self) { group in
            group.addTask { try await ask(cached) }
            await gate.arrival()
            for _ in 1..<100 { group.addTask { try await ask(cached) } }
            try await cached.othersWait(99)
            await gate.open()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.count == 100 && Set(answers).count == 1)
        // A page, and the end.
        #expect(cached.counted.count(of: method) == (method == .directoryListing ? 2 : 1))
    }

    @Test(
        "but wants no listing of which some has come already, gets one that begins now",
        arguments: [[], .doNotReturnCachedResult, .ignoreCache, .validate] as [CachingOptions]
    )
    func late(options: CachingOptions) async throws {
        let cached = CachedMemory()
        // Three items are a page.
        for name in ["a", "b", "c", "d"] { try await cached.write("/\(name)", name) }
        let gate = Gate()
        cached.counted.plan = FaultPlan([
            .init(.directoryListing, on: .call(2), fault: .meanwhile { await gate.wait() })
        ])
        let first = Task { try await cached.names() }
        await gate.arrival()
        try await cached.memory.removeItem(path: "/a")
        let second = Task { try await cached.names("/", options) }
        if options.isEmpty {
            try await cached.othersWait(1)
        } else {
            #expect(try await second.value == ["b", "c", "d"])
        }
        await gate.open()
        #expect(try await first.value.first == "a")
        #expect(try await second.value.first == (options.isEmpty ? "a" : "b"))
    }

    @Test("gets the answer, though others are cancelled, and whoever has begun it too")
    func cancelled() async throws {
        let cached = CachedMemory()
        try await cached.write("/a", "text")
        let gate = Gate()
        cached.counted.plan = FaultPlan([.init(.contentStream, on: .call(1), fault: .meanwhile { await gate.wait() })])
        let first = Task { try await cached.read("/a") }
        await gate.arrival()
        let second = Task { try await cached.read("/a") }
        try await cached.othersWait(1)
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        await gate.open()
        #expect(try await second.value == "text")
        #expect(cached.counted.count(of: .contentStream) == 1)
    }

    @Test("cancels the request, when the last one is cancelled, and the next one asks anew")
    func last() async throws {
        let cached = CachedMemory()
        try await cached.write("/a", "text")
        let gate = Gate()
        let ended = Gate()
        cached.counted.plan = FaultPlan([
            .init(
                .attributesOfItem,
                on: .call(1),
                fault: .meanwhile {
                    await gate.wait()
                    if Task.isCancelled { await ended.open() }
                }
            )
        ])
        let asking = Task { try await cached.files.attributesOfItem(path: "/a") }
        await gate.arrival()
        asking.cancel()
        await #expect(throws: CancellationError.self) { try await asking.value }
        #expect(try await cached.files.attributesOfItem(path: "/a").name == "a")
        await gate.open()
        await ended.wait()
        #expect(cached.counted.count(of: .attributesOfItem) == 2)
    }

    @Test("gets no answer to a question that was asked before a change")
    func afterChange() async throws {
        let cached = CachedMemory()
        try await cached.write("/a", "old")
        let gate = Gate()
        // The first answer is lost on the way, and comes late.
        cached.counted.plan = FaultPlan([
            .init(.directoryListing, on: .call(1), fault: .meanwhile { await gate.wait() })
        ])
        let early = Task { try await cached.names() }
        await gate.arrival()
        try await cached.files.writeContents(path: "/b", contents: Data())
        #expect(try await cached.names() == ["a", "b"])
        await gate.open()
        _ = try await early.value
        #expect(try await cached.names("/", .onlyIfCached) == ["a", "b"])
    }

    @Test("reads the same stream, each at their own pace")
    func streams() async throws {
        let cached = CachedMemory()
        let data = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 1000) })
        try await cached.memory.writeContents(path: "/a", contents: data)
        let gate = Gate()
        cached.counted.plan = FaultPlan([.init(.contentStream, on: .call(1), fault: .meanwhile { await gate.wait() })])
        let first = Task { try await cached.files.contentStream(path: "/a") }
        await gate.arrival()
        let second = Task { try await cached.files.contentStream(path: "/a") }
        try await cached.othersWait(1)
        await gate.open()
        let (quick, slow) = (try await first.value, try await second.value)
        var iterator = slow.makeAsyncIterator()
        var read = Data(try #require(try await iterator.next()).readableBytesView)
        #expect(try await quick.collect() == data)
        while let chunk = try await iterator.next() { read.append(contentsOf: chunk.readableBytesView) }
        #expect(read == data)
        #expect(cached.counted.count(of: .contentStream) == 1)
    }
}

extension CachedMemory {
    /// Waits until so many wait for the answer to somebody else's question.
    fileprivate func othersWait(_ count: Int) async throws {
        while files.engine.coalescer.waitingCount < count { await Task.yield() }
    }
}
