import FerryCore
import FerryMemory
import FerryTestKit
import Foundation
import Testing

@testable import FerryTransfer

@Suite("A report says in words and in JSON what was done")
struct TransferReportTests {
    private let source = MemoryFileProvider()

    @Test("failures of single items don't stop the others, and are told with what to do")
    func failures() async throws {
        try await Tree.plant(["/a/1": "one", "/a/2": "two", "/a/3": "three"], in: source)
        let target = FaultInjectingFileProvider(
            MemoryFileProvider(),
            plan: FaultPlan([
                .init(.writeStream, path: "/b/2", fault: .error(CocoaError.file(.fileWriteOutOfSpace, path: "/b/2")))
            ])
        )
        let report = try await Transfer(from: TransferPlace(source, "/a"), to: TransferPlace(target, "/b")).run()
        #expect(report.lines == ["make folder: 1", "add: 2", "add /2: the storage is full"])
        #expect(!report.isComplete && report.bytes == 8)
        let read = try JSONDecoder().decode(TransferReport.self, from: try JSONEncoder().encode(report))
        #expect(read.lines == report.lines)
        #expect(read.counts == report.counts && read.failures.map(\.action.path) == ["/2"])
        let error = try #require(read.failures.first?.error as? RecordedError)
        #expect(error.recoverySuggestion == "make room and try again")
        #expect(error.code == CocoaError.Code.fileWriteOutOfSpace.rawValue)
    }

    @Test("the first failure ends everything where that is wanted")
    func failingFast() async throws {
        try await Tree.plant(["/a/1": "one", "/a/2": "two", "/a/3": "three"], in: source)
        let target = FaultInjectingFileProvider(
            MemoryFileProvider(),
            plan: FaultPlan([.init(.writeStream, path: "/b/1", fault: .error(CocoaError(.fileWriteOutOfSpace)))])
        )
        var options = TransferOptions()
        options.endsAtFirstFailure = true
        options.concurrency = 1
        let transfer = try Transfer(
            from: TransferPlace(source, "/a"),
            to: TransferPlace(target, "/b"),
            options: options
        )
        await #expect(throws: CocoaError.self) { _ = try await transfer.run() }
        #expect(target.count(of: .writeStream) == 1)
    }
}
