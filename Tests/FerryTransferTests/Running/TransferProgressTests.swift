import FerryCore
import FerryMemory
import FerryTestKit
import Foundation
import Synchronization
import Testing

@testable import FerryTransfer

@Suite("How far a transfer is")
struct TransferProgressTests {
    /// A tree of 30 files of 1,000 to 1,029 bytes in six folders.
    private func makeSource() async throws -> MemoryFileProvider {
        let source = MemoryFileProvider(pageSize: 2)
        for number in 0..<30 {
            let folder = ItemPath.root.appending("d\(number % 6)")
            if number < 6 { try await source.create(folder: folder.lastName, at: .root) }
            let data = Data(repeating: 1, count: 1_000 + number)
            try await source.writeContents(path: folder.appending("f\(number)"), contents: data)
        }
        return source
    }

    /// Foundation's dictionary of facts has no lock on Linux: read while a key was set, it ended the process.
    @Test("a progress is read by one thread while a transfer begins to count on it in another")
    func readWhileItBegins() async {
        for _ in 0..<4_000 {
            let progress = Progress(totalUnitCount: 0)
            async let reader: Void = {
                while progress.transferStatus == nil { _ = progress.speed() }
            }()
            _ = TransferLedger(progress: progress, events: nil)
            await reader
            #expect(progress.transferFiles.isEmpty && progress.startTime != nil)
        }
    }

    private static let bytes = Int64((0..<30).reduce(0) { $0 + 1_000 + $1 })

    @Test("bytes and files are right at every moment, with a child for each file, whatever must be tried again")
    func totals() async throws {
        let plan = FaultPlan(
            [
                .init(.writeStream, on: .chance(0.2), fault: .error(URLError(.networkConnectionLost))),
                .init(.writeStream, on: .chance(0.1), fault: .lostAnswer(URLError(.networkConnectionLost))),
            ],
            seed: 7
        )
        let target = FaultInjectingFileProvider(MemoryFileProvider(), plan: plan)
        let policy = RetryPolicy(maximumAttempts: 20, firstDelay: .zero)
        let transfer = try Transfer(
            from: TransferPlace(try await makeSource()),
            to: TransferPlace(target, "/copy"),
            retryPolicy: policy
        )
        let progress = Progress(totalUnitCount: 0)
        let seen = Mutex<(children: [Progress], wrong: [String], stati: Int)>(([], [], 0))
        let report = try await transfer.run(reporting: progress) { event in
            let status = progress.transferStatus
            seen.withLock { seen in
                if case .began(let action, let child) = event, action.kind == .add {
                    seen.children.append(child)
                    if child.totalUnitCount != action.bytes || child.isFinished { seen.wrong.append("\(action.path)") }
                }
                guard let status else { return }
                seen.stati += 1
                if status.bytesDone > status.bytesFound || status.filesDone > status.filesFound {
                    seen.wrong.append("\(status)")
                }
            }
        }
        #expect(report.isComplete, "\(report.failures)")
        let (children, wrong, stati) = seen.withLock { ($0.children, $0.wrong, $0.stati) }
        #expect(wrong == [] && stati > 60)
        #expect(children.count == 30 && children.allSatisfy { $0.isFinished })
        #expect(progress.totalUnitCount == Self.bytes && progress.completedUnitCount == Self.bytes)
        #expect(progress.isFinished && progress.fractionCompleted == 1)
        let status = try #require(progress.transferStatus)
        #expect(status.isListed && status.filesDone == 30 && status.filesFound == 30 && status.failures == 0)
        #expect(report.bytes >= Self.bytes)
    }

    @Test("the files of a folder that is copied as a whole count one by one, also those of an earlier run")
    func wholeFolder() {
        let ledger = TransferLedger(progress: Progress(totalUnitCount: 0), events: nil)
        let folder = TransferAction(.add, "/d", .missing, source: FileObject(path: "/d", type: .directory))
        func expect(_ done: Int, of found: Int, _ line: Int = #line) {
            let location = SourceLocation(fileID: #fileID, filePath: #filePath, line: line, column: 1)
            let files = [ledger.status.filesDone, ledger.status.filesFound]
            #expect(files == [done, found], sourceLocation: location)
        }
        ledger.find([folder, folder])
        expect(0, of: 2)
        func begin() -> (TransferLedger.Item, CountingProgress) {
            let item = ledger.began(folder)
            let progress = CountingProgress(ledger, item)
            progress.count(files: 10, done: 0)
            progress.announceTransfer(of: 1_000)
            expect(0, of: 11)
            progress.count(files: 10, done: 4)
            progress.completedUnitCount = 400
            expect(4, of: 11)
            return (item, progress)
        }
        var (item, _) = begin()
        ledger.restarted(item)
        expect(0, of: 2)
        ledger.failed(folder, CocoaError(.fileWriteNoPermission), item)
        expect(0, of: 1)
        ledger.find([folder])
        (item, _) = begin()
        ledger.dissolve(item, folder)
        expect(0, of: 1)
        ledger.find([folder])
        let progress: CountingProgress
        (item, progress) = begin()
        // One more comes by itself; of the others this run has copied four.
        ledger.add(filesFound: 1, filesDone: 0, to: item)
        progress.count(files: 10, done: 10)
        progress.finish()
        ledger.add(filesFound: 0, filesDone: 1, to: item)
        expect(11, of: 12)
        ledger.did(folder, [], item, copied: CopiedItems(files: 5, folders: 1))
        expect(11, of: 12)
        #expect(ledger.report.counts[.add] == 5)
        // One turned out to have less in it, and nobody counted.
        item = ledger.began(folder)
        ledger.did(folder, [], item, copied: CopiedItems(files: 3, folders: 1))
        expect(14, of: 14)
    }

    @Test(
        "whatever comes, fails and goes, and however odd the sizes: counting never ends the process",
        arguments: 0..<20
    )
    func oddSizes(seed: UInt64) {
        var numbers = SeededGenerator(seed: seed)
        for round in 0..<200 {
            let parent = Progress(totalUnitCount: 3)
            let progress = Progress(totalUnitCount: 0)
            if round.isMultiple(of: 2) { parent.addChild(progress, withPendingUnitCount: 2) }
            let ledger = TransferLedger(progress: progress, events: nil)
            var underWay: [(action: TransferAction, item: TransferLedger.Item)] = []
            var restarted = 0
            for number in 0..<Int.random(in: 1...30, using: &numbers) {
                let size = Int64.random(in: 0...(round < 150 ? 100_000 : 1 << 40), using: &numbers)
                var file = FileObject(path: "/\(number)", type: .file)
                file.size = size
                let action = TransferAction(.add, file.path, .missing, source: file)
                ledger.find([action])
                let item = ledger.began(action)
                underWay.append((action, item))
                // Some fail when all has passed: as a file does that may not replace another.
                ledger.add(Bool.random(using: &numbers) ? size : .random(in: 0...size, using: &numbers), to: item)
            }
            while !underWay.isEmpty {
                let (action, item) = underWay.remove(at: underWay.indices.randomElement(using: &numbers) ?? 0)
                switch Int.random(in: 0...5, using: &numbers) {
                case 0...2: ledger.failed(action, URLError(.networkConnectionLost), item)
                case 3: ledger.dissolve(item, action)
                case 4:
                    ledger.restarted(item)
                    restarted += 1
                default: ledger.did(action, [], item)
                }
                #expect(progress.completedUnitCount <= progress.totalUnitCount && !progress.isFinished)
                #expect(progress.transferFiles.count == underWay.count + restarted)
                #expect((0...1).contains(parent.fractionCompleted))
            }
            ledger.finish()
            let isDone = ledger.status.bytesDone == ledger.status.bytesFound
            #expect(progress.isFinished == isDone)
            // Counted once, however often all that was known was done.
            #expect(!round.isMultiple(of: 2) || parent.completedUnitCount == (isDone ? 2 : 0))
        }
    }

    @Test("what fails is no longer waited for, and told")
    func failures() async throws {
        let source = try await makeSource()
        let target = MemoryFileProvider()
        var options = TransferOptions()
        options.replacesFiles = false
        try await target.create(folder: "copy", at: "/")
        try await target.create(folder: "d0", at: "/copy")
        try await target.writeContents(path: "/copy/d0/f0", contents: Data("mine".utf8))
        let progress = Progress(totalUnitCount: 0)
        let transfer = try Transfer(from: TransferPlace(source), to: TransferPlace(target, "/copy"), options: options)
        let report = try await transfer.run(reporting: progress)
        #expect(report.failures.map(\.action.reason) == [.exists])
        #expect(report.failures.map(\.action.path) == ["/d0/f0"])
        #expect((report.failures.first?.error as? CocoaError)?.code == .fileWriteFileExists)
        #expect(try await target.contents(path: "/copy/d0/f0") == Data("mine".utf8))
        #expect(progress.completedUnitCount == Self.bytes - 1_000 && progress.isFinished)
        #expect(report.counts[.add] == 29)
    }
}
