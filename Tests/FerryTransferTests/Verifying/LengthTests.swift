import FerryCore
import FerryLocal
import FerryMemory
import Foundation
import NIOCore
import Synchronization
import Testing

@testable import FerryTransfer

@Suite("What is copied has the length that its storage tells, and originals go only when all of it has arrived")
struct LengthTests {
    private let source = MemoryFileProvider()

    private func run(
        _ mode: TransferOptions.Mode,
        from source: any TransferPlace.Storage,
        to target: any TransferPlace.Storage,
        _ top: ItemPath = "/b"
    ) async throws -> TransferReport {
        var options = TransferOptions()
        options.mode = mode
        return try await Transfer(
            from: TransferPlace(source, "/a"),
            to: TransferPlace(target, top),
            options: options,
            clock: NoWaiting()
        ).run()
    }

    @Test(
        "a page in a file's place is no file, and its original stays",
        arguments: [TransferOptions.Mode.copy, .sync, .move],
        ["", "to log in, write your name here"]
    )
    func page(mode: TransferOptions.Mode, page: String) async throws {
        try await Tree.plant(["/a/1": "one", "/a/d/2": "two"], in: source)
        let target = MemoryFileProvider()
        let report = try await run(mode, from: Answering(page, base: source), to: target)
        #expect(report.failures.filter { $0.error is URLError }.count == 2)
        #expect(try await Tree.lines(of: source, below: "/a") == ["/1 one", "/d/", "/d/2 two"])
        #expect(try await Tree.lines(of: target, below: "/b") == ["/d/"])
        try await withTemporaryFolder { folder in
            let local = LocalFileProvider(baseURL: folder)
            let report = try await run(mode, from: Answering(page, base: source), to: local)
            #expect(report.failures.count == 2)
            #expect(try await Tree.lines(of: source, below: "/a") == ["/1 one", "/d/", "/d/2 two"])
            #expect(try await Tree.lines(of: local, below: "/b") == ["/d/"])
        }
    }

    @Test("of what has arrived in part only, the original stays, though the storage says that it has all")
    func shortCopy() async throws {
        try await Tree.plant(["/a/1": "0123456789"], in: source)
        let target = MemoryFileProvider()
        let report = try await run(.move, from: source, to: Forgetful(base: target, .half, times: [1: 100]))
        let error = try #require(report.failures.first?.error)
        #expect(error.reasonInWords == "what has arrived is not what was sent")
        #expect(try await Tree.lines(of: target, below: "/b") == [])
        #expect(try await Tree.lines(of: source, below: "/a") == ["/1 0123456789"])
        #expect(try await run(.move, from: source, to: MemoryFileProvider()).isComplete)
        #expect(try await source.contentsOfDirectory(path: "/").map(\.name).isEmpty)
    }

    @Test("a file of this machine that is written to while it is read is read anew", arguments: [1, 100])
    func torn(changes: Int) async throws {
        try await withTemporaryFolder { folder in
            try FileManager.default.createDirectory(
                at: folder.appending(path: "a"),
                withIntermediateDirectories: false
            )
            let file = folder.appending(path: "a/1")
            try Data(repeating: 0, count: 1_500_000).write(to: file)
            let target = MemoryFileProvider()
            let left = Mutex(changes)
            let meddling = Meddling(base: target) {
                let number = left.withLock { left in
                    left -= 1
                    return left
                }
                guard number >= 0 else { return }
                do {
                    // File systems count in ticks.
                    try await Task.sleep(for: .milliseconds(20))
                    let handle = try FileHandle(forUpdating: file)
                    try handle.write(contentsOf: Data([UInt8(1 + number)]))
                    try handle.seek(toOffset: 1_499_999)
                    try handle.write(contentsOf: Data([UInt8(1 + number)]))
                    try handle.close()
                } catch {
                    Issue.record(error)
                }
            }
            let report = try await run(.copy, from: LocalFileProvider(baseURL: folder), to: meddling)
            if changes == 1 {
                #expect(report.isComplete, "\(report.lines)")
                #expect(try await target.contents(path: "/b/1") == Data(contentsOf: file))
            } else {
                let error = try #require(report.failures.first?.error)
                #expect(error.localizedDescription.contains("changes while it is copied"))
                #expect(try await target.contentsOfDirectory(path: "/b").isEmpty)
            }
        }
    }
}

/// A storage that gives the same for all files, and tells of them what is true.
private struct Answering<Base: FileProviderBasic>: FileProviderWrapper {
    let text: String
    let base: Base

    init(_ text: String, base: Base) {
        self.text = text
        self.base = base
    }
}

extension Answering where Base: FileProviderReadWriteProgressive {
    func contentStream(
        path: ItemPath,
        range: ByteRange,
        reporting progress: Progress?
    ) async throws -> FileContentStream {
        let bytes = Mutex<ByteBuffer?>(text.isEmpty ? nil : ByteBuffer(string: text))
        let length = Int64(text.utf8.count)
        return FileContentStream(facts: FileContentFacts(size: length, range: 0..<length)) {
            bytes.withLock { $0.take() }
        }
    }
}

extension Answering: FileProviderOperations where Base: FileProviderOperations {}
extension Answering: FileProviderReadWrite where Base: FileProviderReadWrite {}
extension Answering: FileProviderReadWriteProgressive where Base: FileProviderReadWriteProgressive {}

/// A storage while which takes the first bytes of a file something happens.
private struct Meddling<Base: FileProviderBasic>: FileProviderWrapper {
    let base: Base
    let meddle: @Sendable () async -> Void
}

extension Meddling where Base: FileProviderReadWriteProgressive {
    @discardableResult
    func writeStream<Contents: AsyncSequence & Sendable>(
        path: ItemPath,
        contents: Contents,
        length: Int64?,
        options: WriteOptions,
        reporting progress: Progress?
    ) async throws -> FileObject? where Contents.Element == ByteBuffer {
        let isFirst = Mutex(true)
        let watched = contents.map { [meddle] chunk in
            let begins = isFirst.withLock { first in
                defer { first = false }
                return first
            }
            if begins { await meddle() }
            return chunk
        }
        return try await base.writeStream(
            path: path,
            contents: watched,
            length: length,
            options: options,
            reporting: progress
        )
    }
}

extension Meddling: FileProviderOperations where Base: FileProviderOperations {}
extension Meddling: FileProviderReadWrite where Base: FileProviderReadWrite {}
extension Meddling: FileProviderReadWriteProgressive where Base: FileProviderReadWriteProgressive {}
