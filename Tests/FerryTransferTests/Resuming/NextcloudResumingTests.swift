import FerryCore
import FerryHTTP
import FerryLocal
import FerryTestKit
import FerryTestServers
import FerryWebDAV
import Foundation
import HTTPTypes
import Testing

@testable import FerryTransfer

@Suite("Large files to Nextcloud go on in a later process, and are compared in the end")
struct NextcloudResumingTests {
    private static let chunk = 64 << 10

    private let scratch: ScratchFolder
    private let data = noise(1_000_000)
    private let source: LocalFileProvider

    init() throws {
        scratch = try ScratchFolder()
        let folder = scratch.url.appending(path: "from")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try data.write(to: folder.appending(path: "large.bin"))
        // A date of long ago: what has changed just now is not gone on with.
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: folder.path + "/large.bin")
        source = LocalFileProvider(baseURL: folder)
    }

    private func withServer(
        _ change: (inout NextcloudSettings) -> Void = { _ in },
        _ body: (NextcloudServer, TransferJournal) async throws -> Void
    ) async throws {
        let journal = try await TransferJournal.open(at: scratch.url.appending(path: "journal.sqlite"))
        let settings = { (settings: inout NextcloudSettings) in
            settings.maximumChunkSize = Self.chunk
            change(&settings)
        }
        try await withNextcloud(settings) { try await body($0, journal) }
    }

    /// Another provider each time, as after a start of the program.
    private func transfer(
        from source: any TransferPlace.Storage,
        to server: NextcloudServer,
        journal: TransferJournal?,
        attempts: Int = 1
    ) async throws -> TransferReport {
        let credential = FileProviderCredential(user: "alice", secret: .password("secret"))
        let provider = try await NextcloudFileProvider.open(server.url, credential: credential)
        let storage = try #require(provider as? NextcloudFileProvider)
        var options = TransferOptions.inParts
        options.partsAtOnce = 1
        let report = try await Transfer(
            from: TransferPlace(source),
            to: TransferPlace(storage, "/"),
            options: options,
            retryPolicy: RetryPolicy(maximumAttempts: attempts),
            clock: SteppingClock()
        ).run(journal: journal)
        await storage.invalidate()
        return report
    }

    private func interrupt(_ server: NextcloudServer, _ journal: TransferJournal) async throws {
        let reading = FaultInjectingFileProvider(
            source,
            plan: FaultPlan([.init(.contentStream, on: .after(10), fault: .error(URLError(.networkConnectionLost)))])
        )
        let report = try await transfer(from: reading, to: server, journal: journal)
        #expect(!report.isComplete && report.journalFailure == nil)
        #expect(server.uploads.first?.value.count == 10)
        #expect(try await journal.jobs().map(\.unfinishedFiles.count) == [1])
        server.forget()
    }

    @Test("the chunks that are there are not sent again, the whole is compared, and the job is gone")
    func resuming() async throws {
        try await withServer { server, journal in
            try await interrupt(server, journal)
            let report = try await transfer(from: source, to: server, journal: journal)
            #expect(report.isComplete, "\(report.lines)")
            #expect(report.bytes == Int64(data.count - 10 * Self.chunk))
            #expect(server.node("large.bin")?.content == data)
            #expect(server.requests.count { $0.method == .put } == 6)
            #expect(server.requests.count { $0.method == .patch } == 1)
            #expect(server.uploads.isEmpty)
            #expect(try await journal.jobs() == [])
        }
    }

    @Test("what one process has sent and compared needs no other comparison")
    func comparedOnce() async throws {
        try await withServer { server, journal in
            let report = try await transfer(from: source, to: server, journal: journal)
            #expect(report.isComplete)
            #expect(server.requests.count { $0.method == .put } == 16)
            #expect(server.requests.count { $0.method == .patch } == 0)
            #expect(server.node("large.bin")?.content == data)
        }
    }

    @Test("chunks that were damaged between two runs are found out in the end, and all of it is sent again")
    func spoiltMeanwhile() async throws {
        try await withServer { server, journal in
            try await interrupt(server, journal)
            server.spoilUploads()
            let report = try await transfer(from: source, to: server, journal: journal)
            #expect(report.isComplete, "\(report.lines)")
            #expect(server.node("large.bin")?.content == data)
            #expect(server.requests.count { $0.method == .put } == 6 + 16)
            #expect(try await journal.jobs() == [])
        }
    }

    @Test("a chunk that arrives damaged is sent again", arguments: [true, false])
    func spoiltChunk(hashes: Bool) async throws {
        try await withServer({ $0.hashesChunks = hashes }) { server, journal in
            server.inject(NextcloudFault(.spoilsContent, method: "PUT", path: "uploads", skipping: 3))
            let report = try await transfer(from: source, to: server, journal: journal)
            #expect(report.isComplete, "\(report.lines)")
            #expect(server.node("large.bin")?.content == data)
            // A server that says nothing of chunks says it of the whole.
            #expect(server.requests.count { $0.method == .put } == (hashes ? 17 : 32))
        }
    }

    @Test("a job whose parts can't be removed is not forgotten")
    func forgetting() async throws {
        try await withServer { server, journal in
            try await interrupt(server, journal)
            let job = try #require(try await journal.jobs().first)
            let credential = FileProviderCredential(user: "alice", secret: .password("secret"))
            let storage = try await NextcloudFileProvider.open(server.url, credential: credential)
            server.inject(NextcloudFault(.answer(403), method: "DELETE", path: "uploads"))
            await #expect(throws: CocoaError.self) { try await journal.forget(job.id, at: storage) }
            #expect(try await journal.jobs().count == 1)
            #expect(server.uploads.count == 1)
            #expect(try await journal.forget(job.id, at: storage) == [])
            #expect(try await journal.jobs() == [])
            #expect(server.uploads.isEmpty)
            await storage.invalidate()
        }
    }
}
