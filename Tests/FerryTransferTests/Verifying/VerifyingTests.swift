import FerryCore
import FerryCrypto
import FerryMemory
import FerryTestKit
import FerryTransfer
import Foundation
import NIOCore
import Synchronization
import Testing

@Suite("What has arrived is compared with what was sent")
struct VerifyingTests {
    private let source = MemoryFileProvider()
    private let data = noise(1_500_000)

    init() async throws {
        try await source.create(folder: "from", at: "/")
        try await source.writeContents(path: "/from/a.bin", contents: data)
    }

    private func run(to target: any TransferPlace.Storage) async throws -> TransferReport {
        try await Transfer(
            from: TransferPlace(source, "/from"),
            to: TransferPlace(target, "/to"),
            clock: SteppingClock()
        ).run()
    }

    @Test("a good copy is sent once", arguments: [ChecksumKind.md5, .sha1, .sha256])
    func good(kind: ChecksumKind) async throws {
        let target = Spoiling(MemoryFileProvider(), kind, times: 0)
        #expect(try await run(to: target).isComplete)
        #expect(target.writes == 1)
        #expect(try await target.base.contents(path: "/to/a.bin") == data)
    }

    @Test("a bad copy is removed, and sent again", arguments: [ChecksumKind.md5, .sha1, .sha256])
    func bad(kind: ChecksumKind) async throws {
        let target = Spoiling(MemoryFileProvider(), kind, times: 2)
        let report = try await run(to: target)
        #expect(report.isComplete)
        #expect(target.writes == 3)
        #expect(try await target.base.contents(path: "/to/a.bin") == data)
    }

    @Test("what is bad each time is told in the end, and nothing is left of it")
    func hopeless() async throws {
        let target = Spoiling(MemoryFileProvider(), .sha256, times: 100)
        let report = try await run(to: target)
        let failure = try #require(report.failures.first)
        #expect((failure.error as? CocoaError)?.code == .fileWriteUnknown)
        #expect(target.writes == 3)
        #expect(try await target.base.contentsOfDirectory(path: "/to").isEmpty)
    }

    @Test(
        "a bad copy that has replaced a file is removed, and sent again to a place that is free now",
        arguments: [true, false]
    )
    func update(breaks: Bool) async throws {
        let target = Spoiling(MemoryFileProvider(), .sha256, times: 1)
        try await Tree.plant(["/to/a.bin": "old"], in: target.base)
        let line = FaultInjectingFileProvider(
            target,
            // The second try doesn't get through: the third is one of a file that should be there, and is gone.
            plan: FaultPlan(
                breaks ? [.init(.writeStream, on: .call(2), fault: .error(URLError(.networkConnectionLost)))] : []
            )
        )
        let report = try await run(to: line)
        #expect(report.isComplete, "\(report.lines)")
        #expect(target.writes == 2)
        #expect(try await target.base.contents(path: "/to/a.bin") == data)
    }

    @Test("a bad copy that can't be removed is told, and never taken for a good one whose answer got lost")
    func stays() async throws {
        let target = Spoiling(MemoryFileProvider(), .sha256, times: 1)
        let line = FaultInjectingFileProvider(
            target,
            plan: FaultPlan([.init(.removeItem, fault: .error(URLError(.networkConnectionLost)))])
        )
        let report = try await run(to: line)
        let failure = try #require(report.failures.first)
        #expect((failure.error as? CocoaError)?.code == .fileWriteUnknown)
        #expect("\(failure.error.localizedDescription)".contains("could not be removed"))
        #expect(target.writes == 1)
        // Once more, and it works: the bad copy goes.
        let other = Spoiling(MemoryFileProvider(), .sha256, times: 1)
        let better = FaultInjectingFileProvider(
            other,
            plan: FaultPlan([.init(.removeItem, on: .call(1), fault: .error(URLError(.networkConnectionLost)))])
        )
        #expect(try await run(to: better).isComplete)
        #expect(try await other.base.contents(path: "/to/a.bin") == data)
    }

    @Test("a bad copy is removed, also when the transfer is cancelled meanwhile")
    func cancelled() async throws {
        let base = MemoryFileProvider()
        try await Tree.plant(["/to/a.bin": "old"], in: base)
        await #expect(throws: CancellationError.self) {
            try await inCancellableTask { canceller in
                _ = try await Transfer(
                    from: TransferPlace(source, "/from"),
                    to: TransferPlace(Spoiling(base, .sha256, times: 1) { canceller.cancel() }, "/to"),
                    clock: SteppingClock()
                ).run()
            }
        }
        #expect(try await base.contentsOfDirectory(path: "/to").isEmpty)
    }

    @Test("a copy that is too short is bad, too, where no checksum is told")
    func short() async throws {
        let target = Spoiling(MemoryFileProvider(), nil, times: 1)
        let report = try await run(to: target)
        #expect(report.isComplete)
        #expect(target.writes == 2)
        #expect(try await target.base.contents(path: "/to/a.bin") == data)
    }
}

/// A storage that spoils what it stores for some time, and tells of what kind and length it is.
private final class Spoiling<Base: FileProviderBasic>: FileProviderWrapper {
    let base: Base
    fileprivate let kind: ChecksumKind?
    fileprivate let left: Mutex<Int>
    fileprivate let count = Mutex(0)
    fileprivate let whenSpoilt: @Sendable () -> Void

    /// With a kind of checksum it changes a byte, without one it loses the last.
    init(_ base: Base, _ kind: ChecksumKind?, times: Int, whenSpoilt: @escaping @Sendable () -> Void = {}) {
        self.base = base
        self.kind = kind
        left = Mutex(times)
        self.whenSpoilt = whenSpoilt
    }

    var writes: Int { count.withLock { $0 } }

    var capabilities: FileProviderCapabilities {
        var capabilities = base.capabilities
        capabilities.checksumKinds = kind.map { [$0] } ?? []
        return capabilities
    }

    func pass<Result: Sendable>(
        _ call: FileProviderCall,
        _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        try Task.checkCancellation()
        return try await body()
    }
}

extension Spoiling where Base: FileProviderReadWriteProgressive {
    @discardableResult
    func writeStream<Contents: AsyncSequence & Sendable>(
        path: ItemPath,
        contents: Contents,
        length: Int64?,
        options: WriteOptions,
        reporting progress: Progress?
    ) async throws -> FileObject? where Contents.Element == ByteBuffer {
        count.withLock { $0 += 1 }
        var data = Data()
        for try await chunk in contents { data.append(contentsOf: chunk.readableBytesView) }
        let spoils = left.withLock { left in
            defer { left = max(0, left - 1) }
            return left > 0
        }
        if spoils { if kind == nil { data.removeLast() } else { data[data.count / 2] ^= 1 } }
        let bytes = ByteBuffer(bytes: data)
        try await base.writeStream(
            path: path,
            contents: AsyncStream { continuation in
                continuation.yield(bytes)
                continuation.finish()
            },
            length: Int64(data.count),
            options: options,
            reporting: nil
        )
        if spoils { whenSpoilt() }
        var file = try await base.attributesOfItem(path: path)
        if let kind { file.extras[.checksums] = [kind: Self.sum(kind, of: data)] }
        return file
    }

    fileprivate static func sum(_ kind: ChecksumKind, of data: Data) -> String {
        let algorithm: HashAlgorithm =
            switch kind {
            case .md5: .md5
            case .sha1: .sha1
            default: .sha256
            }
        // Some storages write them in capitals.
        return algorithm.hash(data).hexadecimal.uppercased()
    }
}

extension Spoiling: FileProviderOperations where Base: FileProviderOperations {}
extension Spoiling: FileProviderReadWrite where Base: FileProviderReadWrite {}
extension Spoiling: FileProviderReadWriteProgressive
where Base: FileProviderReadWriteProgressive & FileProviderReadWrite {}
