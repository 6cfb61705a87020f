import FerryCore
import FerryMemory
import FerryTestKit
import Foundation
import Synchronization
import Testing

@testable import FerryCache

@Suite("Answers that come twice")
struct AnswersTests {
    @Test("are the kept one at once, and the storage's only if it differs")
    func sequence() async throws {
        let cached = CachedMemory()
        try await cached.write("/a", "one")
        func names() async throws -> [String] {
            var found: [String] = []
            for try await answer in cached.files.listingAnswers(path: "/") {
                found.append((answer.isCached ? "kept " : "fresh ") + answer.value.map(\.name).joined())
                #expect(answer.isCached == (answer.date != nil))
            }
            return found
        }
        #expect(try await names() == ["fresh a"])
        #expect(try await names() == ["kept a"])
        try await cached.write("/b", "two")
        #expect(try await names() == ["kept a", "fresh ab"])
        #expect(try await names() == ["kept ab"])
    }

    @Test("of contents fetch no byte twice")
    func contents() async throws {
        let cached = CachedMemory()
        try await cached.write("/a", "one")
        func texts() async throws -> [String] {
            var found: [String] = []
            for try await answer in cached.files.contentsAnswers(path: "/a") {
                found.append((answer.isCached ? "kept " : "fresh ") + String(decoding: answer.value, as: UTF8.self))
            }
            return found
        }
        #expect(try await texts() == ["fresh one"])
        #expect(try await texts() == ["kept one"])
        #expect(cached.counted.count(of: .contentStream) == 1)
        try await cached.write("/a", "two")
        #expect(try await texts() == ["kept one", "fresh two"])
    }

    @Test(
        "of contents are the storage's alone where nothing kept is wanted",
        arguments: [CachingOptions.ignoreCache, .disableCache]
    )
    func ignoring(options: CachingOptions) async throws {
        let cached = CachedMemory()
        try await cached.write("/a", "one")
        _ = try await cached.read("/a")
        var texts: [String] = []
        for try await answer in cached.files.withCaching(options).contentsAnswers(path: "/a") {
            texts.append((answer.isCached ? "kept " : "fresh ") + String(decoding: answer.value, as: UTF8.self))
        }
        #expect(texts == ["fresh one"])
        #expect(cached.counted.count(of: .contentStream) == 2 && cached.counted.count(of: .changedContentStream) == 0)
        #expect(await cached.files.kept.keptRanges(of: "/a").isEmpty == (options == .disableCache))
    }

    @Test("end with the storage's error after the kept one")
    func failure() async throws {
        let cached = CachedMemory()
        try await cached.write("/a", "one")
        _ = try await cached.files.attributesOfItem(path: "/a")
        cached.counted.plan = FaultPlan([.init(fault: .error(URLError(.timedOut)))])
        var iterator = cached.files.attributesAnswers(path: "/a").makeAsyncIterator()
        #expect(try await iterator.next()?.isCached == true)
        await #expect(throws: URLError.self) { try await iterator.next() }
        #expect(try await iterator.next() == nil)
    }

    @Test("come to a handler in this order, and the error after them")
    func handler() async throws {
        let cached = CachedMemory()
        try await cached.write("/a", "one")
        _ = try await cached.names()
        try await cached.write("/b", "two")
        let (stream, continuation) = AsyncStream<String>.makeStream()
        cached.files.contentsOfDirectory(path: "/") { answer, error in
            let names = answer?.value.map(\.name).joined() ?? ""
            continuation.yield("\(answer?.isCached == true ? "kept" : "fresh") \(names)\(error == nil ? "" : "error")")
        }
        var iterator = stream.makeAsyncIterator()
        #expect(await iterator.next() == "kept a")
        #expect(await iterator.next() == "fresh ab")
        cached.counted.plan = FaultPlan([.init(fault: .error(URLError(.timedOut)))])
        cached.files.contentsOfDirectory(path: "/") { answer, error in
            continuation.yield(answer.map { $0.isCached ? "kept" : "fresh" } ?? "error \(error is URLError)")
        }
        #expect(await iterator.next() == "kept")
        #expect(await iterator.next() == "error true")
    }
}

@Suite("Answers about thumbnails, properties and room that come twice")
struct FurtherAnswersTests {
    typealias Storage = FaultInjectingFileProvider<PicturingFileProvider<MemoryFileProvider>>

    let memory = MemoryFileProvider()
    let storage: Storage
    let files: CachedFileProvider<Storage>
    let picture = Pixmap(width: 40, height: 20, seed: 1)
    let other = Pixmap(width: 8, height: 8, seed: 2)

    init() async throws {
        storage = Storage(PicturingFileProvider(memory))
        files = CachedFileProvider(storage, store: CacheStore(at: nil))
        try await memory.writeContents(path: "/a.ppm", contents: picture.data)
    }

    private func told<Value: Sendable & Equatable>(
        _ answers: CachedAnswers<Value>
    ) async throws -> [(isCached: Bool, value: Value)] {
        try await answers.reduce(into: []) { $0.append(($1.isCached, $1.value)) }
    }

    /// Asks three times: when nothing is kept, when it is, and when something else is there.
    private func expectTwice<Value: Sendable & Equatable>(
        _ ask: () -> CachedAnswers<Value>,
        change: () async throws -> Void
    ) async throws {
        let first = try await told(ask())
        #expect(first.map(\.isCached) == [false])
        let second = try await told(ask())
        #expect(second.map(\.isCached) == [true] && second.first?.value == first.first?.value)
        try await change()
        let third = try await told(ask())
        #expect(third.map(\.isCached) == [true, false])
        #expect(third.first?.value == first.first?.value && third.last?.value != first.first?.value)
    }

    @Test("are the kept one at once, and the storage's only if it differs")
    func sequences() async throws {
        try await expectTwice {
            files.storagePropertiesAnswers()
        } change: {
            try await memory.writeContents(path: "/b", contents: Data(repeating: 1, count: 5_000))
        }
        try await expectTwice {
            files.propertiesAnswers(path: "/a.ppm")
        } change: {
            try await memory.writeContents(path: "/a.ppm", contents: other.data, overwrite: true)
        }
        try await expectTwice {
            files.thumbnailAnswers(path: "/a.ppm", options: ThumbnailOptions(width: 4))
        } change: {
            try await memory.writeContents(path: "/a.ppm", contents: picture.data, overwrite: true)
        }
    }

    @Test("come to handlers in this order, and the error after them")
    func handlers() async throws {
        _ = try await files.thumbnail(path: "/a.ppm")
        _ = try await files.storageProperties()
        _ = try await files.attributesOfItem(path: "/a.ppm")
        _ = try await files.contents(path: "/a.ppm")
        try await memory.writeContents(path: "/a.ppm", contents: other.data, overwrite: true)
        let (told, continuation) = AsyncStream<String>.makeStream()
        @Sendable func tell<Value>(_ answer: CachedAnswer<Value>?, _ error: (any Error)?) {
            continuation.yield(answer.map { $0.isCached ? "kept" : "fresh" } ?? "error \(error is URLError)")
        }
        var iterator = told.makeAsyncIterator()
        for expected in ["fresh", "error true"] {
            files.storageProperties { tell($0, $1) }
            #expect(await [iterator.next(), iterator.next()] == ["kept", expected])
            files.attributesOfItem(path: "/a.ppm") { tell($0, $1) }
            #expect(await [iterator.next(), iterator.next()] == ["kept", expected])
            files.contents(path: "/a.ppm") { tell($0, $1) }
            #expect(await [iterator.next(), iterator.next()] == ["kept", expected])
            files.thumbnailOfFile(path: "/a.ppm") { tell($0, $1) }
            #expect(await [iterator.next(), iterator.next()] == ["kept", expected])
            // The next time nobody is there to ask.
            storage.plan = FaultPlan([.init(fault: .error(URLError(.timedOut)))])
        }
    }
}
