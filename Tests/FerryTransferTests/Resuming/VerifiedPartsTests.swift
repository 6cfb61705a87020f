import FerryCore
import FerryLocal
import FerryMemory
import FerryTestKit
import Foundation
import NIOCore
import Synchronization
import Testing

@testable import FerryTransfer

/// A storage that counts the bytes that are read of it.
private final class Counting<Base: FileProviderBasic>: FileProviderWrapper {
    let base: Base
    let count = Mutex(0)

    init(_ base: Base) { self.base = base }
}

extension Counting where Base: FileProviderReadWriteProgressive {
    func contentStream(
        path: ItemPath,
        range: ByteRange,
        reporting progress: Progress?
    ) async throws -> FileContentStream {
        let stream = try await base.contentStream(path: path, range: range, reporting: progress)
        let contents = try await stream.collect()
        count.withLock { $0 += contents.count }
        let rest = Mutex<ByteBuffer?>(ByteBuffer(bytes: contents))
        return FileContentStream(facts: stream.facts) { rest.withLock { $0.take() } }
    }
}

extension Counting: FileProviderOperations where Base: FileProviderOperations {}
extension Counting: FileProviderReadWrite where Base: FileProviderReadWrite {}
extension Counting: FileProviderReadWriteProgressive where Base: FileProviderReadWriteProgressive {}

/// A storage that tells a checksum of what was written in parts, and may have compared it.
private struct Telling<Base: FileProviderBasic>: FileProviderWrapper {
    let base: Base
    let checksum: String
    let hasCompared: Bool
}

extension Telling where Base: FileProviderPartialWriting {
    func finishPartialWrite(_ write: PartialWrite, options: WriteOptions) async throws -> FileObject? {
        var file = try await base.finishPartialWrite(write, options: options)
        file?.extras[.checksums] = [.sha1: checksum]
        if hasCompared { file?.extras[.isVerified] = true }
        return file
    }
}

extension Telling: FileProviderOperations where Base: FileProviderOperations {}
extension Telling: FileProviderReadWrite where Base: FileProviderReadWrite {}
extension Telling: FileProviderReadWriteProgressive where Base: FileProviderReadWriteProgressive {}
extension Telling: FileProviderPartialWriting where Base: FileProviderPartialWriting {}

@Suite("A file that was written in parts")
struct VerifiedPartsTests {
    private let scratch: ScratchFolder
    private let large = noise(300_000)

    init() throws {
        scratch = try ScratchFolder()
        try large.write(to: scratch.url.appending(path: "large.bin"))
    }

    private func copy(_ target: Telling<MemoryFileProvider>) async throws -> (report: TransferReport, bytesRead: Int) {
        var options = TransferOptions.inParts
        options.partedSize = 100_000
        let source = Counting(LocalFileProvider(baseURL: scratch.url))
        let transfer = try Transfer(from: TransferPlace(source, "/"), to: TransferPlace(target, "/"), options: options)
        let report = try await transfer.run()
        return (report, source.count.withLock { $0 })
    }

    @Test("is read once more to be compared, unless the storage has compared it", arguments: [false, true])
    func reads(hasCompared: Bool) async throws {
        let sums = RunningChecksums([.sha1])
        await sums.update(ByteBuffer(bytes: large))
        let sum = try #require(await sums.finish()[.sha1])
        let target = Telling(base: MemoryFileProvider(), checksum: sum, hasCompared: hasCompared)
        let (report, bytesRead) = try await copy(target)
        #expect(report.isComplete)
        #expect(try await target.base.contents(path: "/large.bin") == large)
        #expect(bytesRead == large.count * (hasCompared ? 1 : 2))
    }

    @Test("and whose checksum is another is no copy")
    func damaged() async throws {
        let target = Telling(
            base: MemoryFileProvider(),
            checksum: String(repeating: "0", count: 40),
            hasCompared: false
        )
        let (report, _) = try await copy(target)
        #expect(!report.isComplete)
    }
}
