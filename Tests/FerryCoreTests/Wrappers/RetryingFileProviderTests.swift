import FerryCore
import FerryMemory
import Foundation
import NIOCore
import Synchronization
import Testing

/// A clock that stands still, never waits, and remembers how long it should have.
private struct InstantClock: Clock {
    typealias Instant = ContinuousClock.Instant

    final class Record: Sendable {
        let waits = Mutex<[Duration]>([])
    }

    let record = Record()
    let now = ContinuousClock.now
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        record.waits.withLock { $0.append(deadline - now) }
    }
}

/// Fails the first calls of each kind, in mid-stream for streams and between pages for listings.
private struct Flaky<Base: FileProvider>: FileProviderWrapper {
    let base: Base
    let failures: Mutex<Int>.Box
    let calls = Mutex<Int>.Box(0)
    var error: any Error & Sendable = URLError(.networkConnectionLost)

    init(_ base: Base, failures: Int) {
        self.base = base
        self.failures = Mutex<Int>.Box(failures)
    }

    var count: Int { calls.mutex.withLock { $0 } }

    func failIfDue() throws {
        calls.mutex.withLock { $0 += 1 }
        let isDue = failures.mutex.withLock { left in
            defer { left -= 1 }
            return left > 0
        }
        if isDue { throw error }
    }

    func pass<Result: Sendable>(
        _ call: FileProviderCall,
        _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        try failIfDue()
        return try await body()
    }

    func directoryListing(path: ItemPath) -> DirectoryListing {
        DirectoryListing {
            let pages = Mutex<Int>.Box(0)
            return {
                let all = try await base.contentsOfDirectory(path: path)
                let page = pages.mutex.withLock { page in
                    defer { page += 1 }
                    return page
                }
                if page > 0 { try failIfDue() }
                let items = Array(all.dropFirst(page * 2).prefix(2))
                return items.isEmpty ? nil : items
            }
        }
    }
}

extension Flaky: FileProviderOperations where Base: FileProviderOperations {}
extension Flaky: FileProviderReadWrite where Base: FileProviderReadWrite {}
extension Flaky: FileProviderReadWriteProgressive where Base: FileProviderReadWriteProgressive {
    func contentStream(
        path: ItemPath,
        range: ByteRange,
        reporting progress: Progress?
    ) async throws -> FileContentStream {
        let stream = try await base.contentStream(path: path, range: range, reporting: progress)
        let chunks = Mutex<FileContentStream.AsyncIterator>.Box(stream.makeAsyncIterator())
        let first = Mutex<Int>.Box(0)
        return FileContentStream(facts: stream.facts) {
            let isFirst = first.mutex.withLock { count in
                defer { count += 1 }
                return count == 0
            }
            if !isFirst { try failIfDue() }
            var iterator = chunks.mutex.withLock { $0 }
            return try await iterator.next()
        }
    }
}

extension Flaky: FileProviderWholeReading {
    func wholeFile(path: ItemPath, upTo limit: Int) async throws -> WholeFile? {
        try failIfDue()
        return nil
    }
}

extension Mutex where Value: Sendable {
    fileprivate final class Box: Sendable {
        let mutex: Mutex<Value>
        init(_ value: Value) { mutex = Mutex(value) }
    }
}

@Suite("A retrying provider")
struct RetryingFileProviderTests {
    private let memory = MemoryFileProvider()
    private let clock = InstantClock()

    private func retrying(_ failures: Int, policy: RetryPolicy = RetryPolicy()) -> RetryingFileProvider<
        Flaky<MemoryFileProvider>
    > {
        RetryingFileProvider(Flaky(memory, failures: failures), policy: policy, clock: clock)
    }

    @Test("repeats a question until it is answered, and waits longer each time")
    func repeats() async throws {
        try await memory.writeContents(path: "/a", contents: Data("x".utf8))
        let provider = retrying(3)
        #expect(try await provider.attributesOfItem(path: "/a").size == 1)
        #expect(provider.base.count == 4)
        let waits = clock.record.waits.withLock { $0 }
        #expect(waits.count == 3)
        for (wait, whole) in zip(waits, [0.2, 0.4, 0.8]) {
            #expect(wait > .seconds(whole * 0.45) && wait <= .seconds(whole))
        }
    }

    @Test("waits as the policy's random number says", arguments: [(0.0, 100), (1.0, 200)])
    func random(number: Double, milliseconds: Int) async throws {
        var policy = RetryPolicy(maximumAttempts: 2, firstDelay: .milliseconds(200))
        policy.random = { number }
        try await memory.writeContents(path: "/a", contents: Data("x".utf8))
        _ = try await retrying(1, policy: policy).attributesOfItem(path: "/a")
        let wait = try #require(clock.record.waits.withLock { $0.first })
        #expect(wait == .milliseconds(milliseconds))
    }

    @Test("repeats the reading of a whole file, where the storage has that")
    func repeatsFastPaths() async throws {
        let provider = retrying(2)
        #expect(try await provider.wholeFile(path: "/a", upTo: 1) == nil)
        #expect(provider.base.count == 3)
    }

    @Test("gives up after its tries, with the last error")
    func givesUp() async throws {
        let provider = retrying(100, policy: RetryPolicy(maximumAttempts: 3))
        await #expect(throws: URLError(.networkConnectionLost)) { try await provider.attributesOfItem(path: "/a") }
        #expect(provider.base.count == 3)
    }

    @Test("keeps its budget over all calls")
    func budget() async throws {
        let provider = retrying(100, policy: RetryPolicy(maximumAttempts: 3, budget: 3))
        for _ in 0..<3 {
            await #expect(throws: URLError.self) { try await provider.attributesOfItem(path: "/a") }
        }
        #expect(provider.base.count == 3 + 3)
    }

    @Test("never repeats what could be done twice")
    func notIdempotent() async throws {
        try await memory.writeContents(path: "/a", contents: Data())
        let provider = retrying(1)
        await #expect(throws: URLError.self) { try await provider.removeItem(path: "/a") }
        #expect(provider.base.count == 1)
        #expect(try await memory.attributesOfItem(path: "/a").name == "a")
    }

    @Test("never repeats what would fail again", arguments: [CocoaError.Code.fileNoSuchFile, .fileReadNoPermission])
    func permanent(code: CocoaError.Code) async throws {
        var flaky = Flaky(memory, failures: 1)
        flaky.error = CocoaError(code)
        let provider = RetryingFileProvider(flaky, clock: clock)
        await #expect(throws: CocoaError.self) { try await provider.attributesOfItem(path: "/a") }
        #expect(flaky.count == 1)
    }

    @Test("completes a listing that breaks between pages, without gaps and without doubles")
    func listing() async throws {
        for number in 0..<9 { try await memory.create(folder: "\(number)", at: "/") }
        let names = try await retrying(2).contentsOfDirectory(path: "/").map(\.name)
        #expect(names == (0..<9).map(String.init))
    }

    @Test("goes on with a stream at the byte where it broke")
    func stream() async throws {
        let content = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
        try await memory.writeContents(path: "/a", contents: content)
        let provider = retrying(2)
        #expect(try await provider.contents(path: "/a").count == 1_000_000)
        let stream = try await retrying(2).contentStream(path: "/a", range: .bytes(10..<900_000))
        #expect(try await stream.collect() == content[10..<900_000])
    }

    @Test("a server that says when to come back is obeyed, up to the longest wait")
    func retryAfter() {
        struct Busy: RetryAfterError { var retryAfter: Duration? = .seconds(7) }
        let policy = RetryPolicy(longestDelay: .seconds(5))
        #expect(policy.delay(afterAttempt: 1, error: Busy(), jitter: 0.5) == .seconds(5))
        #expect(RetryPolicy().delay(afterAttempt: 1, error: Busy(), jitter: 0.5) == .seconds(7))
        #expect(policy.delay(afterAttempt: 30, error: URLError(.timedOut), jitter: 1) == .seconds(5))
    }
}
