import FerryCore
import FerryMemory
import FerryTestKit
import Foundation
import NIOCore
import Synchronization
import Testing

@Suite("A fault-injecting provider")
struct FaultInjectingFileProviderTests {
    private let memory = MemoryFileProvider(pageSize: 2)

    private func faulty(_ rules: FaultPlan.Rule..., seed: UInt64 = 1) -> FaultInjectingFileProvider<MemoryFileProvider>
    {
        FaultInjectingFileProvider(memory, plan: FaultPlan(rules, seed: seed))
    }

    @Test("does what its base does, as long as nothing is planned, and counts the calls")
    func transparent() async throws {
        let provider = faulty()
        try await provider.writeContents(path: "/a.txt", contents: Data("a".utf8))
        #expect(try await provider.contents(path: "/a.txt") == Data("a".utf8))
        _ = try await provider.contents(path: "/a.txt")
        #expect(provider.count(of: .writeContents) == 1)
        #expect(provider.count(of: .contents) == 2)
        #expect(provider.calls.map(\.path) == ["/a.txt", "/a.txt", "/a.txt"])
    }

    @Test("lets the third call fail, and only that")
    func thirdCall() async throws {
        let provider = faulty(.init(.attributesOfItem, on: .call(3), fault: .error(URLError(.networkConnectionLost))))
        var failed: [Int] = []
        for number in 1...5 {
            do { _ = try await provider.attributesOfItem(path: .root) } catch is URLError { failed.append(number) }
        }
        #expect(failed == [3])
        #expect(provider.count(of: .attributesOfItem) == 5)
    }

    @Test("lets calls about one path fail, be it source or target")
    func path() async throws {
        try await memory.writeContents(path: "/a", contents: Data())
        let provider = faulty(.init(path: "/b", fault: .error(URLError(.timedOut))))
        await #expect(throws: URLError.self) { try await provider.copyItem(path: "/a", to: "/b") }
        await #expect(throws: URLError.self) { try await provider.contents(path: "/b") }
        try await provider.copyItem(path: "/a", to: "/c")
        #expect(try await memory.contentsOfDirectory(path: .root).map(\.name) == ["a", "c"])
    }

    @Test("lets the second page fail, after the first has come")
    func page() async throws {
        for name in ["a", "b", "c", "d", "e"] { try await memory.writeContents(path: "/\(name)", contents: Data()) }
        let provider = faulty(.init(.directoryListing, on: .call(2), fault: .error(URLError(.timedOut))))
        var names: [String] = []
        await #expect(throws: URLError.self) {
            for try await page in provider.directoryListing(path: .root) { names += page.map(\.name) }
        }
        #expect(names == ["a", "b"])
        #expect(try await provider.contentsOfDirectory(path: .root).count == 5)
    }

    @Test("fails with the planned probability, and the same calls for the same seed")
    func chance() async throws {
        func failures(seed: UInt64) async throws -> [Int] {
            let provider = faulty(.init(on: .chance(0.25), fault: .error(URLError(.timedOut))), seed: seed)
            var failed: [Int] = []
            for number in 0..<400 {
                do { _ = try await provider.attributesOfItem(path: .root) } catch is URLError { failed.append(number) }
            }
            return failed
        }
        let first = try await failures(seed: 7)
        #expect((70...130).contains(first.count))
        #expect(try await failures(seed: 7) == first)
        #expect(try await failures(seed: 8) != first)
    }

    @Test("does what it is told even if the answer is lost")
    func lostAnswer() async throws {
        let provider = faulty(.init(.createFolder, on: .call(1), fault: .lostAnswer(URLError(.networkConnectionLost))))
        await #expect(throws: URLError.self) { try await provider.create(folder: "new", at: .root) }
        #expect(try await memory.attributesOfItem(path: "/new").isDirectory)
    }

    @Test(
        "cuts what is read after the planned bytes, with an error or as if it were complete",
        arguments: [true, false]
    )
    func cutReading(withError: Bool) async throws {
        let data = Data((0..<1_000).map { UInt8($0 % 251) })
        try await memory.writeContents(path: "/a", contents: data)
        let error = withError ? URLError(.timedOut) : nil
        let provider = faulty(.init(.contentStream, fault: .cut(afterBytes: 600, error)))
        var met = Data()
        let thrown = await #expect(throws: URLError.self) {
            for try await chunk in try await provider.contentStream(path: "/a") {
                met.append(contentsOf: chunk.readableBytesView)
            }
        }
        // The stream itself notices that bytes are missing.
        #expect(thrown?.code == (withError ? .timedOut : .networkConnectionLost))
        #expect(met == data.prefix(600))
    }

    @Test("cuts what is written after the planned bytes, and leaves nothing")
    func cutWriting() async throws {
        let provider = faulty(.init(.writeStream, fault: .cut(afterBytes: 300, nil)))
        await #expect(throws: URLError.self) {
            try await provider.writeStream(path: "/a", contents: DataChunks(Data(count: 1_000)), length: 1_000)
        }
        #expect(try await memory.contentsOfDirectory(path: .root).isEmpty)
    }

    @Test("waits on the clock that it was given")
    func delay() async throws {
        let clock = CountingClock()
        let plan = FaultPlan([.init(.attributesOfItem, fault: .delay(.seconds(3_600)))])
        let provider = FaultInjectingFileProvider(memory, plan: plan, clock: clock)
        _ = try await provider.attributesOfItem(path: .root)
        _ = try await provider.isReachable()
        #expect(clock.slept == .seconds(3_600))
    }

    @Test("lets something happen meanwhile")
    func meanwhile() async throws {
        try await memory.writeContents(path: "/a", contents: Data())
        let provider = faulty(
            .init(.contents, fault: .meanwhile { [memory] in _ = try? await memory.removeItem(path: "/a") })
        )
        await #expect(throws: CocoaError.self) { try await provider.contents(path: "/a") }
    }

    @Test("counts anew when it gets a new plan")
    func newPlan() async throws {
        let provider = faulty(.init(on: .call(1), fault: .error(URLError(.timedOut))))
        _ = try? await provider.attributesOfItem(path: .root)
        _ = try await provider.attributesOfItem(path: .root)
        provider.plan = provider.plan
        await #expect(throws: URLError.self) { try await provider.attributesOfItem(path: .root) }
    }

    @Test("shows how often a retrying provider tries")
    func retries() async throws {
        try await memory.writeContents(path: "/a", contents: Data("a".utf8))
        let unreliable = faulty(.init(.contents, on: .call(1), fault: .error(URLError(.networkConnectionLost))))
        let provider = RetryingFileProvider(unreliable, clock: CountingClock())
        #expect(try await provider.contents(path: "/a") == Data("a".utf8))
        #expect(unreliable.count(of: .contents) == 2)
        await #expect(throws: CocoaError.self) { try await provider.contents(path: "/gone") }
        #expect(unreliable.count(of: .contents) == 3)
    }

    @Test("shows that a retrying provider does not repeat what can't be repeated")
    func noRetry() async throws {
        let unreliable = faulty(.init(.createFolder, fault: .lostAnswer(URLError(.networkConnectionLost))))
        let provider = RetryingFileProvider(unreliable, clock: CountingClock())
        await #expect(throws: URLError.self) { try await provider.create(folder: "new", at: .root) }
        #expect(unreliable.count(of: .createFolder) == 1)
    }
}

/// A clock on which nobody waits.
private final class CountingClock: Clock {
    typealias Instant = ContinuousClock.Instant
    typealias Duration = Swift.Duration

    private let total = Mutex(Duration.zero)

    var slept: Duration { total.withLock { $0 } }
    let minimumResolution = Duration.nanoseconds(1)
    private let start = ContinuousClock.now
    var now: Instant { start.advanced(by: slept) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        total.withLock { $0 = max($0, start.duration(to: deadline)) }
    }
}
