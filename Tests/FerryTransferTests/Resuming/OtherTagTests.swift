import FerryCore
import FerryMemory
import FerryTestKit
import Foundation
import NIOCore
import Synchronization
import Testing

@testable import FerryTransfer

@Suite("Parts of a file whose contents have another eTag than its listing")
struct OtherTagTests {
    private let memory = MemoryFileProvider()
    private let data = noise(1_000_000)

    init() async throws {
        try await memory.create(folder: "from", at: "/")
        try await memory.writeContents(path: "/from/large.bin", contents: data)
    }

    private func run(from source: any TransferPlace.Storage) async throws -> (TransferReport, MemoryFileProvider) {
        let target = MemoryFileProvider()
        let report = try await Transfer(
            from: TransferPlace(source, "/from"),
            to: TransferPlace(target, "/"),
            options: .inParts,
            retryPolicy: RetryPolicy(maximumAttempts: 1),
            clock: SteppingClock()
        ).run()
        return (report, target)
    }

    @Test("belong together if theirs is always the same, also a weak one")
    func same() async throws {
        let (report, target) = try await run(from: Retagging(base: memory) { $0 % 2 == 0 ? "\"gzip\"" : "W/\"gzip\"" })
        #expect(report.isComplete, "\(report.lines)")
        #expect(try await target.contents(path: "/large.bin") == data)
    }

    @Test("are of several versions if theirs differ", arguments: [5, 0])
    func different(first: Int) async throws {
        let (report, target) = try await run(from: Retagging(base: memory) { $0 < first ? "\"old\"" : "\"\($0)\"" })
        let error = try #require(report.failures.first?.error)
        #expect(error.localizedDescription.contains("changes while it is copied"))
        #expect(try await target.contentsOfDirectory(path: "/").isEmpty)
    }
}

/// A storage whose contents come with other eTags than those it lists.
private final class Retagging<Base: FileProviderBasic>: FileProviderWrapper {
    let base: Base
    fileprivate let tag: @Sendable (Int) -> String
    fileprivate let count = Mutex(0)

    /// - Parameters:
    ///   - base: The storage that it wraps.
    ///   - tag: The eTag of a reading, by its number.
    init(base: Base, tag: @escaping @Sendable (Int) -> String) {
        self.base = base
        self.tag = tag
    }
}

extension Retagging where Base: FileProviderReadWriteProgressive {
    func contentStream(
        path: ItemPath,
        range: ByteRange,
        reporting progress: Progress?
    ) async throws -> FileContentStream {
        let stream = try await base.contentStream(path: path, range: range, reporting: progress)
        var facts = stream.facts
        facts.eTag = count.withLock { count in
            defer { count += 1 }
            return tag(count)
        }
        let bytes = Mutex<ByteBuffer?>(ByteBuffer(bytes: try await stream.collect()))
        return FileContentStream(facts: facts) { bytes.withLock { $0.take() } }
    }
}

extension Retagging: FileProviderOperations where Base: FileProviderOperations {}
extension Retagging: FileProviderReadWrite where Base: FileProviderReadWrite {}
extension Retagging: FileProviderReadWriteProgressive where Base: FileProviderReadWriteProgressive {}
