import FerryCloudLab
import FerryCore
import FerryHTTP
import Foundation
import NIOCore
import Testing

@testable import FerryOneDrive

@Suite("Uploads to OneDrive, on the lab")
struct OneDriveUploadTests {
    private static let date = Date(timeIntervalSince1970: 1_600_000_000)

    private static func write(_ data: Data, to path: ItemPath, by provider: OneDriveFileProvider) async throws
        -> FileObject?
    {
        try await provider.writeStream(
            path: path,
            contents: DataChunks(data),
            length: Int64(data.count),
            options: WriteOptions(overwrite: true, modifiedDate: date),
            reporting: nil
        )
    }

    @Test("a large file goes in fragments of 320 KiB, and is what was sent")
    func fragments() async throws {
        try await withDrive { provider, lab in
            let data = Data.pattern((21 << 20) + 12_345)
            let file = try await Self.write(data, to: "/large.bin", by: provider)
            #expect(file?.size == Int64(data.count))
            #expect(file?.modifiedDate == Self.date)
            #expect(lab.graph.account.storage.contents(at: "/large.bin") == data)
            #expect(lab.journal.exchanges(route: "fragment").map(\.requestBytes) == [10 << 20, 10 << 20, 1_060_921])
            #expect(try await provider.contents(path: "/large.bin") == data)
        }
    }

    @Test("an empty file and a small one without a date take one request, and no session", arguments: [0, 1, 4 << 20])
    func simple(count: Int) async throws {
        try await withDrive { provider, lab in
            let data = Data.pattern(count)
            try await provider.writeStream(path: "/a.bin", contents: DataChunks(data), length: Int64(count))
            #expect(lab.graph.account.storage.contents(at: "/a.bin") == data)
            #expect(lab.journal.exchanges.map(\.route) == ["upload"])
        }
    }

    @Test("a file with a date gets content and date at once; an empty one its date afterwards", arguments: [0, 10])
    func dates(count: Int) async throws {
        try await withDrive { provider, lab in
            let file = try await Self.write(.pattern(count), to: "/a.bin", by: provider)
            #expect(file?.modifiedDate == Self.date)
            #expect(try await provider.attributesOfItem(path: "/a.bin").modifiedDate == Self.date)
            let routes = count == 0 ? ["upload", "update"] : ["createUploadSession", "fragment"]
            #expect(lab.journal.exchanges.map(\.route).prefix(2) == routes[...])
        }
    }

    @Test("a file of unknown length is collected first", arguments: [0, 1, (1 << 20) + 1, (11 << 20) + 1])
    func unknownLength(count: Int) async throws {
        try await withDrive { provider, lab in
            let data = Data.pattern(count)
            try await provider.writeStream(path: "/a.bin", contents: DataChunks(data))
            #expect(lab.graph.account.storage.contents(at: "/a.bin") == data)
        }
    }

    @Test("no login goes to the addresses that carry their own permission")
    func unsigned() async throws {
        try await withDrive { provider, lab in
            // Half of it arrives, so that the service is asked for the rest.
            lab.faults.add(.storeHalf, route: "fragment")
            _ = try await Self.write(.pattern(100), to: "/a.bin", by: provider)
            _ = try await provider.contents(path: "/a.bin")
            try await provider.copyItem(path: "/a.bin", to: "/b.bin")
            // One that is too short is given up.
            await #expect(throws: URLError.self) {
                try await provider.writeStream(
                    path: "/c.bin",
                    contents: DataChunks(.pattern(10)),
                    length: 20,
                    options: WriteOptions(modifiedDate: Self.date)
                )
            }
            let open: Set = ["fragment", "uploadState", "cancelUpload", "download", "monitor"]
            let unsigned = lab.journal.exchanges.filter { !$0.isAuthorized }
            #expect(Set(unsigned.map(\.route)) == open)
            #expect(!lab.journal.exchanges.contains { $0.isAuthorized && open.contains($0.route) })
        }
    }

    @Test("an upload that broke off goes on at the confirmed offset, in another provider")
    func resuming() async throws {
        try await withDrive { _, lab in
            let folder = FileManager.default.temporaryDirectory.appending(path: "ferry-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = folder.appending(path: "up.bin")
            let data = Data.pattern(25 << 20)
            try data.write(to: file)
            func provider(_ policy: RetryPolicy) throws -> OneDriveFileProvider {
                let store = FolderUploadSessionStore(url: folder.appending(path: "uploads"))
                // Tokens change between one process and the next.
                let token = lab.graph.makeAccessToken()
                return try OneDriveStage.provider(of: lab, token: token, retryPolicy: policy, uploads: store)
            }
            let first = try provider(RetryPolicy(maximumAttempts: 1))
            lab.faults.add(.storeHalf, route: "fragment", skipping: 1)
            await #expect(throws: URLError.self) { try await first.copyItem(localFile: file, to: "/up.bin") }
            await first.invalidate()
            lab.journal.removeAll()
            let second = try provider(RetryPolicy())
            try await second.copyItem(localFile: file, to: "/up.bin")
            await second.invalidate()
            #expect(lab.graph.account.storage.contents(at: "/up.bin") == data)
            #expect(lab.journal.exchanges(route: "createUploadSession").isEmpty)
            let sent = lab.journal.exchanges.reduce(0) { $0 + $1.requestBytes }
            #expect(sent < Int64(data.count) - (10 << 20))
        }
    }

    @Test("an upload whose last answer was lost is found by the next process, and not sent again")
    func lostEnd() async throws {
        try await withUploads(of: .pattern(11 << 20)) { lab, file, make in
            let first = try make(RetryPolicy(maximumAttempts: 1))
            lab.faults.add(.loseAnswer, route: "fragment", skipping: 1)
            // Nor can it be looked at what has come of it.
            lab.faults.add(.serverError(status: 500), route: "item", skipping: 1)
            await #expect(throws: (any Error).self) {
                try await first.copyItem(localFile: file, to: "/up.bin", overwrite: true)
            }
            await first.invalidate()
            #expect(lab.graph.account.storage.contents(at: "/up.bin") == .pattern(11 << 20))
            let version = lab.graph.account.storage.entry(at: "/up.bin")?.version
            lab.journal.removeAll()
            let second = try make(RetryPolicy())
            try await second.copyItem(localFile: file, to: "/up.bin", overwrite: true)
            await second.invalidate()
            #expect(lab.graph.account.storage.entry(at: "/up.bin")?.version == version)
            #expect(lab.journal.exchanges(route: "fragment").isEmpty)
            #expect(lab.journal.exchanges(route: "createUploadSession").isEmpty)
        }
    }

    @Test("an upload that may not replace a file does not go on with one that may")
    func otherCondition() async throws {
        try await withUploads(of: .pattern(11 << 20)) { lab, file, make in
            let first = try make(RetryPolicy(maximumAttempts: 1))
            lab.faults.add(.storeHalf, route: "fragment", skipping: 1)
            await #expect(throws: (any Error).self) {
                try await first.copyItem(localFile: file, to: "/up.bin", overwrite: true)
            }
            await first.invalidate()
            lab.journal.removeAll()
            let second = try make(RetryPolicy())
            try await second.copyItem(localFile: file, to: "/up.bin")
            await second.invalidate()
            #expect(lab.journal.exchanges(route: "createUploadSession").count == 1)
            #expect(lab.graph.account.storage.contents(at: "/up.bin") == .pattern(11 << 20))
        }
    }

    /// Runs a test with a local file, and a maker of providers that have one store, each with a token of its own.
    private func withUploads(
        of data: Data,
        _ body: (CloudLab, URL, (RetryPolicy) throws -> OneDriveFileProvider) async throws -> Void
    ) async throws {
        try await withDrive { _, lab in
            let folder = FileManager.default.temporaryDirectory.appending(path: "ferry-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = folder.appending(path: "up.bin")
            try data.write(to: file)
            try await body(lab, file) { policy in
                let store = FolderUploadSessionStore(url: folder.appending(path: "uploads"))
                let token = lab.graph.makeAccessToken()
                return try OneDriveStage.provider(of: lab, token: token, retryPolicy: policy, uploads: store)
            }
        }
    }

    @Test(
        "faults while fragments go are got over, and the file is what was sent",
        arguments: [
            Fault.storeHalf, .expireSession, .loseAnswer, .cutBeforeCommit, .cutRequest(afterBytes: 1_000),
            .serverError(status: 500), .serverError(status: 503, retryAfter: .zero),
            .tooManyRequests(retryAfter: .zero), .tooManyWrites(retryAfter: .zero),
        ],
        [0, 1]
    )
    func faults(fault: Fault, skipping: Int) async throws {
        try await withDrive(clock: ContinuousClock()) { provider, lab in
            let folder = FileManager.default.temporaryDirectory.appending(path: "ferry-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = folder.appending(path: "up.bin")
            let data = Data.pattern((21 << 20) + 1)
            try data.write(to: file)
            lab.faults.add(fault, route: "fragment", skipping: skipping)
            try await provider.copyItem(localFile: file, to: "/up.bin", overwrite: true)
            #expect(lab.graph.account.storage.contents(at: "/up.bin") == data)
            #expect(lab.journal.exchanges.contains { $0.fault != nil })
        }
    }

    @Test("half of a fragment that is no multiple of 320 KiB is completed with what follows")
    func oddHalf() async throws {
        try await withDrive { provider, lab in
            let data = Data.pattern((11 << 20) + 5)
            lab.faults.add(.storeHalf, route: "fragment", skipping: 1)
            _ = try await Self.write(data, to: "/a.bin", by: provider)
            #expect(lab.graph.account.storage.contents(at: "/a.bin") == data)
        }
    }

    @Test(
        "a name that is taken meanwhile is an error at the end, and the other file stays, even one that is the same",
        arguments: [Data("other".utf8), Data.pattern(10)]
    )
    func conflictAtEnd(other: Data) async throws {
        try await withDrive { provider, lab in
            let storage = lab.graph.account.storage
            let contents = DataChunks(.pattern(10)).map { chunk in
                // The session has begun by now.
                try storage.write(other, to: "/a.bin", modified: Self.date)
                return chunk
            }
            let error = await #expect(throws: CocoaError.self) {
                try await provider.writeStream(
                    path: "/a.bin",
                    contents: contents,
                    length: 10,
                    options: WriteOptions(modifiedDate: Self.date)
                )
            }
            #expect(error?.code == .fileWriteFileExists)
            #expect(storage.contents(at: "/a.bin") == other)
            #expect(lab.journal.exchanges(route: "fragment").map(\.status) == [409])
        }
    }

    @Test("a condition that is no longer met before the last fragment keeps the other file")
    func lateChange() async throws {
        try await withDrive { provider, lab in
            let storage = lab.graph.account.storage
            try storage.write(Data("old".utf8), to: "/a.bin")
            let tag = try await provider.attributesOfItem(path: "/a.bin").eTag
            let contents = DataChunks(.pattern(10)).map { chunk in
                try storage.write(Data("newer".utf8), to: "/a.bin")
                return chunk
            }
            await #expect(throws: PreconditionFailedError.self) {
                try await provider.writeStream(
                    path: "/a.bin",
                    contents: contents,
                    length: 10,
                    options: WriteOptions(overwrite: true, ifMatch: tag, modifiedDate: Self.date)
                )
            }
            #expect(storage.contents(at: "/a.bin") == Data("newer".utf8))
            #expect(lab.journal.exchanges(route: "fragment").isEmpty)
        }
    }

    @Test("a service that never says the same of what it has ends in an error, and not in an endless upload")
    func lying() async throws {
        try await withDrive { provider, lab in
            let body = #"{"nextExpectedRanges":["0-"]}"#
            lab.faults.add(
                .answer(status: 202, contentType: "application/json", body: body),
                route: "fragment",
                count: 1_000
            )
            await #expect(throws: (any Error).self) {
                _ = try await Self.write(.pattern(11 << 20), to: "/a.bin", by: provider)
            }
            #expect(lab.graph.account.storage.contents(at: "/a.bin") == nil)
            #expect(lab.journal.exchanges(route: "fragment").count < 40)
        }
    }

    @Test("a document that a library rewrites is reported once, and sent once")
    func rewritten() async throws {
        func configure(_ options: inout CloudLab.Options) {
            options.graph.driveType = .business
            options.graph.rewritesOfficeFiles = true
        }
        try await withDrive(configure) { provider, lab in
            let file = try await Self.write(.pattern(5_000), to: "/a.docx", by: provider)
            #expect(file?.extras[.isRewritten] == true)
            let plain = try await Self.write(.pattern(5_000), to: "/a.bin", by: provider)
            #expect(plain?.extras[.isRewritten] == nil)
            #expect(lab.journal.exchanges(route: "createUploadSession").count == 2)
            #expect(lab.journal.exchanges(route: "delete").isEmpty)
        }
    }

    @Test("a folder shared by somebody else, added as a shortcut, is listed, read and written through to its own drive")
    func shortcut() async throws {
        try await withDrive { provider, lab in
            let other = lab.graph.makeAccount(email: "other@example.com", name: "Other")
            try other.storage.makeFolder(at: "/Shared")
            try lab.graph.addShortcut(to: "/Shared", of: other, at: "/In", in: lab.graph.account)
            let data = Data.pattern(1_000)
            _ = try await Self.write(data, to: "/In/a.bin", by: provider)
            #expect(other.storage.contents(at: "/Shared/a.bin") == data)
            let fresh = try lab.oneDrive()
            #expect(try await fresh.contents(path: "/In/a.bin") == data)
            #expect(try await fresh.contentsOfDirectory(path: "/In").map(\.path) == ["/In/a.bin"])
            try await fresh.moveItem(path: "/In/a.bin", to: "/In/b.bin")
            #expect(other.storage.contents(at: "/Shared/b.bin") == data)
            try await fresh.moveItem(path: "/In/b.bin", to: "/b.bin")
            #expect(lab.graph.account.storage.contents(at: "/b.bin") == data)
            try await fresh.removeItem(path: "/In")
            #expect(other.storage.entry(at: "/Shared") != nil)
            await fresh.invalidate()
        }
    }
}
