import FerryCore
import FerryLocal
import FerryMemory
import FerryTestKit
import Foundation
import NIOCore
import Testing

@testable import FerryTransfer

@Suite("Large files, in parts")
struct ResumingTests {
    private let scratch: ScratchFolder
    private let source = MemoryFileProvider()
    private let data = noise(1_000_000)

    init() async throws {
        scratch = try ScratchFolder()
        try await source.create(folder: "from", at: "/")
        try await source.writeContents(path: "/from/large.bin", contents: data)
    }

    private var journalURL: URL { scratch.url.appending(path: "state/journal.sqlite") }

    private func local(_ name: String = "to") throws -> LocalFileProvider {
        try FileManager.default.createDirectory(
            at: scratch.url.appending(path: name),
            withIntermediateDirectories: true
        )
        return LocalFileProvider(baseURL: scratch.url.appending(path: name))
    }

    private func transfer(
        from source: any TransferPlace.Storage,
        to target: any TransferPlace.Storage,
        options: TransferOptions = .inParts,
        attempts: Int = 1
    ) throws -> Transfer {
        try Transfer(
            from: TransferPlace(source, "/from"),
            to: TransferPlace(target, "/"),
            options: options,
            retryPolicy: RetryPolicy(maximumAttempts: attempts),
            clock: SteppingClock()
        )
    }

    @Test("parts are read and written several at a time, and nothing is left beside the file", arguments: [1, 4])
    func parts(lanes: Int) async throws {
        let reading = FaultInjectingFileProvider(source)
        let target = try local()
        let writing = FaultInjectingFileProvider(target)
        var options = TransferOptions.inParts
        options.partsAtOnce = lanes
        let report = try await transfer(from: reading, to: writing, options: options).run()
        #expect(report.isComplete)
        #expect(report.bytes == 1_000_000)
        #expect(writing.count(of: .writePart) == 16)
        #expect(reading.count(of: .contentStream) == 16)
        #expect(writing.count(of: .writeStream) == 0)
        #expect(try await target.contents(path: "/large.bin") == data)
        #expect(try scratch.names(in: "to") == ["large.bin"])
        let date = try await source.attributesOfItem(path: "/from/large.bin").modifiedDate
        let copied = try await target.attributesOfItem(path: "/large.bin").modifiedDate
        #expect(abs(try #require(date).timeIntervalSince(try #require(copied))) < 0.001)
    }

    @Test("a source on this machine is read once more for a checksum that the target tells, unless it has compared it")
    func compared() async throws {
        let files = try local("files")
        try await files.create(folder: "from", at: "/")
        try await files.writeContents(path: "/from/large.bin", contents: data)
        for isCompared in [true, false] {
            let reading = FaultInjectingFileProvider(files)
            let target = Telling(base: MemoryFileProvider(), isCompared: isCompared)
            #expect(try await transfer(from: reading, to: target).run().isComplete)
            #expect(reading.count(of: .contentStream) == (isCompared ? 16 : 17))
            #expect(try await target.contents(path: "/large.bin") == data)
        }
    }

    @Test("small files go by one request, as before")
    func small() async throws {
        let reading = FaultInjectingFileProvider(source)
        let writing = FaultInjectingFileProvider(try local())
        #expect(try await transfer(from: reading, to: writing, options: TransferOptions()).run().isComplete)
        #expect(writing.count(of: .writeStream) == 1)
        #expect(writing.count(of: .writePart) + writing.count(of: .beginPartialWrite) == 0)
        #expect(reading.calls.filter { $0.method == .attributesOfItem }.map(\.path) == ["/from"])
    }

    @Test("a part that breaks goes on where it broke", arguments: [true, false])
    func broken(isLocal: Bool) async throws {
        let target: any TransferPlace.Storage = isLocal ? try local() : MemoryFileProvider()
        var options = TransferOptions.inParts
        options.partSize = 1 << 20
        let reading = FaultInjectingFileProvider(
            source,
            plan: FaultPlan([
                .init(.contentStream, on: .call(1), fault: .cut(afterBytes: 700_000, URLError(.networkConnectionLost)))
            ])
        )
        let report = try await transfer(from: reading, to: target, options: options, attempts: 2).run()
        #expect(report.isComplete)
        // A disk is written in blocks.
        #expect(report.bytes <= 1_000_000 + (isLocal ? 4_096 : 0))
        #expect(reading.count(of: .contentStream) == 2)
        #expect(try await target.contents(path: "/large.bin") == data)
    }

    /// Runs until something breaks for good, as if the process had died there.
    private func interrupt(
        after parts: Int,
        _ target: any TransferPlace.Storage,
        journal: TransferJournal,
        lanes: Int = 1
    ) async throws -> TransferReport {
        let reading = FaultInjectingFileProvider(
            source,
            plan: FaultPlan([.init(.contentStream, on: .after(parts), fault: .error(URLError(.networkConnectionLost)))])
        )
        var options = TransferOptions.inParts
        options.partsAtOnce = lanes
        return try await transfer(from: reading, to: target, options: options).run(journal: journal)
    }

    @Test("a later run sends only what the target lacks, and forgets the job", arguments: [1, 4])
    func resumes(lanes: Int) async throws {
        let target = try local()
        let journal = try await TransferJournal.open(at: journalURL)
        let broken = try await interrupt(after: 10, target, journal: journal, lanes: lanes)
        #expect(!broken.isComplete)
        #expect(broken.journalFailure == nil)
        #expect(try scratch.names(in: "to").count == 1)
        let job = try #require(try await journal.jobs().first)
        #expect(job.state == .failed)
        #expect(job.unfinishedFiles.map(\.path) == ["/large.bin"])
        #expect(job.unfinishedFiles.map(\.length) == [1_000_000])
        let written = try #require(job.unfinishedFiles.first?.written)
        // Of several at a time, those beside the one that failed are broken off.
        if lanes == 1 { #expect(written == 10 * 65_536) } else { #expect(written > 0 && written <= 10 * 65_536) }

        let again = try await TransferJournal.open(at: journalURL)
        let report = try await transfer(from: source, to: target).run(journal: again)
        #expect(report.isComplete)
        #expect(report.bytes == 1_000_000 - written)
        #expect(try await target.contents(path: "/large.bin") == data)
        #expect(try scratch.names(in: "to") == ["large.bin"])
        #expect(try await again.jobs() == [])
        #expect(try scratch.names(in: "state").allSatisfy { !$0.hasSuffix(".lock") })
    }

    @Test("a source that had just changed, where nothing proves what came after, is copied anew")
    func fresh() async throws {
        let target = try local()
        let journal = try await TransferJournal.open(at: journalURL)
        let reading = FaultInjectingFileProvider(
            Changing(base: source) { $0.isFresh = true },
            plan: FaultPlan([.init(.contentStream, on: .after(10), fault: .error(URLError(.networkConnectionLost)))])
        )
        let broken = try await transfer(from: reading, to: target).run(journal: journal)
        #expect(!broken.isComplete && broken.bytes > 0)
        let report = try await transfer(from: source, to: target).run(journal: journal)
        #expect(report.isComplete && report.bytes == 1_000_000)
        #expect(try scratch.names(in: "to") == ["large.bin"])
        #expect(try await journal.jobs() == [])
    }

    @Test("a source that tells neither a date nor a version is copied anew: nothing would show that it has changed")
    func unproven() async throws {
        let target = try local()
        let journal = try await TransferJournal.open(at: journalURL)
        let untold = Changing(base: source) {
            $0.modifiedDate = nil
            $0.eTag = nil
        }
        let reading = FaultInjectingFileProvider(
            untold,
            plan: FaultPlan([.init(.contentStream, on: .after(10), fault: .error(URLError(.networkConnectionLost)))])
        )
        #expect(try await !transfer(from: reading, to: target).run(journal: journal).isComplete)
        let other = noise(1_000_000, seed: 2)
        try await source.writeContents(path: "/from/large.bin", contents: other, overwrite: true)
        let report = try await transfer(from: untold, to: target).run(journal: journal)
        #expect(report.isComplete && report.bytes == 1_000_000)
        #expect(try await target.contents(path: "/large.bin") == other)
    }

    @Test("what the target has lost is sent once more, and the total stays that of the file", arguments: [true, false])
    func lost(journals: Bool) async throws {
        let target = try local()
        let journal = journals ? try await TransferJournal.open(at: journalURL) : nil
        let writing = FaultInjectingFileProvider(
            target,
            plan: FaultPlan([
                .init(.writePart, on: .call(9), fault: .error(PartialWriteLostError(path: "/large.bin")))
            ])
        )
        let progress = Progress(totalUnitCount: 0)
        let report = try await transfer(from: source, to: writing).run(journal: journal, reporting: progress)
        #expect(report.isComplete && report.bytes > 1_000_000)
        #expect(progress.totalUnitCount == 1_000_000 && progress.completedUnitCount == 1_000_000)
        #expect(try await target.contents(path: "/large.bin") == data)
        #expect(try scratch.names(in: "to").filter { $0 == "large.bin" }.count == 1)
    }

    @Test(
        "an answer that got lost on the way costs no file, whichever it was",
        arguments: [FileProviderCall.Method.beginPartialWrite, .writePart, .writtenRanges, .finishPartialWrite],
        [true, false]
    )
    func lostAnswers(to method: FileProviderCall.Method, updates: Bool) async throws {
        let target = try local()
        let journal = try await TransferJournal.open(at: journalURL)
        if updates { try await Tree.plant(["/large.bin": "old"], in: target) }
        // The answer about what is there is asked for only by a later run.
        if method == .writtenRanges { _ = try await interrupt(after: 10, target, journal: journal) }
        let writing = FaultInjectingFileProvider(
            target,
            plan: FaultPlan([.init(method, on: .call(1), fault: .lostAnswer(URLError(.networkConnectionLost)))])
        )
        let report = try await transfer(from: source, to: writing, attempts: 3).run(journal: journal)
        #expect(report.isComplete, "\(report.lines)")
        #expect(try await target.contents(path: "/large.bin") == data)
        #expect(try scratch.names(in: "to") == ["large.bin"])
        #expect(try await journal.jobs() == [])
    }

    @Test("without a journal nothing is left of a copy that failed")
    func withoutJournal() async throws {
        let target = MemoryFileProvider()
        let reading = FaultInjectingFileProvider(
            source,
            plan: FaultPlan([.init(.contentStream, on: .after(3), fault: .error(URLError(.networkConnectionLost)))])
        )
        #expect(try await !transfer(from: reading, to: target).run().isComplete)
        #expect(try target.unfinishedWrites == 0)
        let folder = try local()
        #expect(try await !transfer(from: reading, to: folder).run().isComplete)
        #expect(try scratch.names(in: "to") == [])
    }

    @Test("a source that has changed between two runs is copied anew, and the old part is gone")
    func changedBetween() async throws {
        let target = try local()
        let journal = try await TransferJournal.open(at: journalURL)
        _ = try await interrupt(after: 10, target, journal: journal)
        let other = noise(1_000_000, seed: 2)
        try await source.writeContents(path: "/from/large.bin", contents: other, overwrite: true)
        let report = try await transfer(from: source, to: target).run(journal: journal)
        #expect(report.isComplete)
        #expect(report.bytes == 1_000_000)
        #expect(try await target.contents(path: "/large.bin") == other)
        #expect(try scratch.names(in: "to") == ["large.bin"])
        #expect(try await journal.jobs() == [])
    }

    @Test("a source that changes while it is copied is copied anew")
    func changedMeanwhile() async throws {
        let target = MemoryFileProvider()
        let other = noise(900_000, seed: 3)
        let reading = FaultInjectingFileProvider(
            source,
            plan: FaultPlan([
                .init(
                    .contentStream,
                    on: .call(8),
                    fault: .meanwhile { [source] in
                        do {
                            try await source.writeContents(path: "/from/large.bin", contents: other, overwrite: true)
                        } catch {
                            Issue.record(error)
                        }
                    }
                )
            ])
        )
        let report = try await transfer(from: reading, to: target).run()
        #expect(report.isComplete)
        #expect(try await target.contents(path: "/large.bin") == other)
        #expect(try target.unfinishedWrites == 0)
    }

    @Test("a part that was shortened between two runs is written again from there")
    func shortened() async throws {
        let target = try local()
        let journal = try await TransferJournal.open(at: journalURL)
        _ = try await interrupt(after: 10, target, journal: journal)
        let name = try #require(try scratch.names(in: "to").first)
        let file = try FileHandle(forWritingTo: scratch.url.appending(path: "to/\(name)"))
        try file.truncate(atOffset: 300_000)
        try file.close()
        let report = try await transfer(from: source, to: target).run(journal: journal)
        #expect(report.isComplete)
        #expect(report.bytes == 1_000_000 - 4 * 65_536)
        #expect(try await target.contents(path: "/large.bin") == data)
    }

    @Test("a piece that was damaged between two runs is written again")
    func damaged() async throws {
        let target = try local()
        let journal = try await TransferJournal.open(at: journalURL)
        _ = try await interrupt(after: 10, target, journal: journal)
        let name = try #require(try scratch.names(in: "to").first)
        let file = try FileHandle(forWritingTo: scratch.url.appending(path: "to/\(name)"))
        try file.seek(toOffset: 3 * 65_536 + 17)
        try file.write(contentsOf: Data("damage".utf8))
        try file.close()
        let report = try await transfer(from: source, to: target).run(journal: journal)
        #expect(report.isComplete)
        #expect(report.bytes == 1_000_000 - 9 * 65_536)
        #expect(try await target.contents(path: "/large.bin") == data)
    }

    @Test("a part that was removed between two runs costs no more than the file itself")
    func removed() async throws {
        let target = try local()
        let journal = try await TransferJournal.open(at: journalURL)
        _ = try await interrupt(after: 10, target, journal: journal)
        let name = try #require(try scratch.names(in: "to").first)
        try FileManager.default.removeItem(at: scratch.url.appending(path: "to/\(name)"))
        let report = try await transfer(from: source, to: target).run(journal: journal)
        #expect(report.isComplete)
        #expect(report.bytes == 1_000_000)
        #expect(try await target.contents(path: "/large.bin") == data)
        #expect(try scratch.names(in: "to") == ["large.bin"])
    }

    @Test("a part whose file need not be copied any more is removed when the job ends well")
    func leftOver() async throws {
        let target = try local()
        let journal = try await TransferJournal.open(at: journalURL)
        _ = try await interrupt(after: 10, target, journal: journal)
        try await source.removeItem(path: "/from/large.bin")
        let report = try await transfer(from: source, to: target).run(journal: journal)
        #expect(report.isComplete)
        #expect(try scratch.names(in: "to") == [])
        #expect(try await journal.jobs() == [])
    }

    @Test("a sync leaves the parts of an interrupted job alone, and removes what else the source lacks")
    func syncing() async throws {
        let target = try local()
        let journal = try await TransferJournal.open(at: journalURL)
        _ = try await interrupt(after: 10, target, journal: journal)
        try await target.writeContents(path: "/extra.bin", contents: Data("extra".utf8))
        var options = TransferOptions.inParts
        options.mode = .sync
        options.largestRemoval = 1
        let report = try await transfer(from: source, to: target, options: options).run(journal: journal)
        #expect(report.isComplete)
        #expect(report.bytes == 1_000_000 - 10 * 65_536)
        #expect(try scratch.names(in: "to") == ["large.bin"])
    }

    @Test("forgetting a job removes its parts")
    func forgets() async throws {
        let target = try local()
        let journal = try await TransferJournal.open(at: journalURL)
        _ = try await interrupt(after: 10, target, journal: journal)
        let job = try #require(try await journal.jobs().first)
        #expect(try await journal.forget(job.id, at: nil).map(\.path) == ["/large.bin"])
        #expect(try scratch.names(in: "to").count == 1)
        _ = try await interrupt(after: 5, target, journal: journal)
        let next = try #require(try await journal.jobs().first)
        #expect(try await journal.forget(next.id, at: target) == [])
        #expect(try await journal.jobs() == [])
        // The one that was left above stays: nobody knows of it any more.
        #expect(try scratch.names(in: "to").count == 1)
        await #expect(throws: CocoaError.self) { try await journal.forget("0", at: target) }
    }
}

/// A storage that says something else of its files than is true.
private struct Changing<Base: FileProviderBasic>: FileProviderWrapper {
    let base: Base
    let change: @Sendable (inout FileObject) -> Void

    func pass<Result: Sendable>(
        _ call: FileProviderCall,
        _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        let result = try await body()
        guard var file = result as? FileObject else { return result }
        change(&file)
        return file as? Result ?? result
    }
}

extension Changing: FileProviderOperations where Base: FileProviderOperations {}
extension Changing: FileProviderReadWrite where Base: FileProviderReadWrite {}
extension Changing: FileProviderReadWriteProgressive where Base: FileProviderReadWriteProgressive {}

/// A storage that tells a checksum of what it has finished.
private struct Telling<Base: FileProviderBasic>: FileProviderWrapper {
    let base: Base
    let isCompared: Bool
}

extension Telling: FileProviderOperations where Base: FileProviderOperations {}
extension Telling: FileProviderReadWrite where Base: FileProviderReadWrite {}
extension Telling: FileProviderReadWriteProgressive where Base: FileProviderReadWriteProgressive {}

extension Telling: FileProviderPartialWriting where Base: FileProviderPartialWriting, Base: FileProviderReadWrite {
    func finishPartialWrite(_ write: PartialWrite, options: WriteOptions) async throws -> FileObject? {
        try await base.finishPartialWrite(write, options: options)
        var file = try await base.attributesOfItem(path: write.path)
        let sums = RunningChecksums([.sha1])
        await sums.update(ByteBuffer(bytes: try await base.contents(path: write.path)))
        file.extras[.checksums] = await sums.finish()
        if isCompared { file.extras[.isCompared] = true }
        return file
    }
}
