import FerryCloudLab
import FerryCore
import FerryHTTP
import FerryTestServers
import Foundation
import NIOCore
import Synchronization
import Testing

@testable import FerryOneDrive

@Suite("Files that are written to OneDrive in parts, on the lab")
struct OneDrivePartsTests {
    private static let data = Data.pattern((21 << 20) + 5)

    /// Parts that begin at multiples of 320 KiB; the last one is held back until the end.
    private static let parts: [Range<Int64>] = [
        0..<8_192_000, 8_192_000..<16_384_000, 16_384_000..<Int64(data.count),
    ]

    private static let sessionRoutes: Set = ["fragment", "uploadState", "cancelUpload"]

    private static func begin(
        by provider: OneDriveFileProvider,
        _ options: WriteOptions = WriteOptions()
    ) async throws -> PartialWrite {
        try await provider.beginPartialWrite(path: "/a.bin", length: Int64(data.count), options: options)
    }

    /// Writes a part, and returns the number of bytes that were confirmed.
    @discardableResult
    private static func write(
        _ part: Range<Int64>,
        of write: PartialWrite,
        by provider: OneDriveFileProvider
    ) async throws -> Int64 {
        let confirmed = Mutex<Int64>(0)
        try await provider.writePart(
            of: write,
            offset: part.lowerBound,
            contents: DataChunks(Data(data[Int(part.lowerBound)..<Int(part.upperBound)])),
            length: Int64(part.count)
        ) { count in confirmed.withLock { $0 += count } }
        return confirmed.withLock { $0 }
    }

    /// Runs a test with a maker of providers that have one store; each has a token of its own, as tokens change.
    private func withProviders(
        _ body: (CloudLab, () throws -> OneDriveFileProvider) async throws -> Void
    ) async throws {
        try await withDrive { _, lab in
            let folder = FileManager.default.temporaryDirectory.appending(path: "ferry-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            try await body(lab) {
                try OneDriveStage.provider(
                    of: lab,
                    token: lab.graph.makeAccessToken(),
                    uploads: FolderUploadSessionStore(url: folder)
                )
            }
        }
    }

    @Test("parts in order are a file at the end, and nothing is seen under its name before")
    func inOrder() async throws {
        try await withDrive { provider, lab in
            let storage = lab.graph.account.storage
            let write = try await Self.begin(by: provider)
            var confirmed: Int64 = 0
            for part in Self.parts {
                confirmed += try await Self.write(part, of: write, by: provider)
                #expect(storage.entries.isEmpty)
            }
            #expect(confirmed == Self.parts[2].lowerBound)
            #expect(try await provider.writtenRanges(of: write) == [0..<confirmed])
            let file = try await provider.finishPartialWrite(write, options: WriteOptions())
            #expect(file?.size == Int64(Self.data.count))
            #expect(file?.extras[.isVerified] == true)
            #expect(storage.contents(at: "/a.bin") == Self.data)
            #expect(lab.journal.exchanges(route: "fragment").map(\.requestBytes) == Self.parts.map { Int64($0.count) })
            await #expect(throws: PartialWriteLostError.self) { try await provider.writtenRanges(of: write) }
        }
    }

    @Test("another provider with the same store goes on by the record, which holds no address, and gives the date")
    func resuming() async throws {
        try await withProviders { lab, make in
            let first = try make()
            let begun = try await Self.begin(by: first)
            try await Self.write(Self.parts[0], of: begun, by: first)
            await first.invalidate()
            let record = try JSONEncoder().encode(begun)
            #expect(!String(decoding: record, as: UTF8.self).contains("http"))
            lab.journal.removeAll()
            let second = try make()
            let write = try JSONDecoder().decode(PartialWrite.self, from: record)
            #expect(try await second.writtenRanges(of: write) == [Self.parts[0]])
            // A part that is there already is passed over.
            for part in Self.parts { try await Self.write(part, of: write, by: second) }
            let date = Date(timeIntervalSince1970: 1_500_000_000)
            let file = try await second.finishPartialWrite(write, options: WriteOptions(modifiedDate: date))
            await second.invalidate()
            #expect(file?.modifiedDate == date)
            // What the first provider has sent is not in the second one's checksum.
            #expect(file?.extras[.isVerified] == nil)
            #expect(lab.graph.account.storage.contents(at: "/a.bin") == Self.data)
            #expect(lab.journal.exchanges(route: "createUploadSession").isEmpty)
            let sent = lab.journal.exchanges(route: "fragment").map(\.requestBytes)
            #expect(sent == Self.parts.dropFirst().map { Int64($0.count) })
        }
    }

    @Test("of the uploads that nobody writes to, the four used last are kept with their bytes")
    func idle() async throws {
        let (provider, _) = try OneDriveFileProvider.scripted { _, _ in .refusal("itemNotFound", status: 404) }
        let commit = OneDriveCommit(
            path: "/a.bin",
            address: GraphAddress(drive: "/me/drive", id: "1"),
            foreignDriveID: nil,
            options: WriteOptions()
        )
        let session = UploadSessionHandle(id: "https://graph.microsoft.com/v1.0/up")
        let uploads = OneDrivePartialUploads()
        let start = Date(timeIntervalSince1970: 1_800_000_000)
        func add(_ id: String, _ seconds: TimeInterval) async throws {
            let upload = try await OneDrivePartialUpload(provider, commit, length: 1, goingOnWith: session)
            uploads.add(upload, id, now: start + seconds)
        }
        for number in 0..<10 { try await add("\(number)", TimeInterval(number)) }
        #expect(uploads.count == 10)
        #expect(uploads.upload("0", now: start + 700) != nil)
        try await add("new", 701)
        let kept = (0..<10).filter { uploads.upload("\($0)", now: start + 701) != nil }
        #expect(kept == [0, 6, 7, 8, 9])
        #expect(uploads.count == 6)
    }

    @Test("an upload to which somebody writes is kept, however long the source lets the writer wait")
    func inUse() async throws {
        let clock = InstantClock()
        let (provider, _) = try OneDriveFileProvider.scripted(clock: clock) { sent, _ in
            switch sent.route {
            case let route where route.hasSuffix("createUploadSession"):
                .json(
                    #"{"uploadUrl":"https://graph.microsoft.com/v1.0/up","expirationDateTime":"2099-01-01T00:00:00Z"}"#
                )
            case "GET /me/drive": .json(#"{"id":"d","driveType":"personal"}"#)
            default: .refusal("itemNotFound", status: 404)
            }
        }
        @Sendable func begin(_ name: String) async throws -> PartialWrite {
            try await provider.beginPartialWrite(path: .root.appending(name), length: 2, options: WriteOptions())
        }
        let write = try await begin("a.bin")
        let read = Mutex(0)
        let contents = AsyncThrowingStream<ByteBuffer, any Error> {
            let count = read.withLock { count in
                count += 1
                return count
            }
            if count == 2 {
                // All others are used later than this one was.
                try await clock.sleep(for: .seconds(700))
                for number in 0..<6 { _ = try await begin("\(number).bin") }
                try await clock.sleep(for: .seconds(700))
                _ = try await begin("last.bin")
            }
            return count <= 2 ? ByteBuffer(bytes: [1]) : nil
        }
        try await provider.writePart(of: write, offset: 0, contents: contents, length: 2) { _ in }
        let id = try #require(write.values["upload"])
        #expect(provider.partialUploads.count == 6)
        _ = try await begin("later.bin")
        #expect(provider.partialUploads.upload(id, now: provider.connection.now()) != nil)
    }

    @Test("a fragment of which half arrived fails, and is completed by the next try", arguments: [0, 1, 2])
    func half(skipping: Int) async throws {
        try await withDrive { provider, lab in
            let write = try await Self.begin(by: provider)
            lab.faults.add(.storeHalf, route: "fragment", skipping: skipping)
            var failures = 0
            for part in Self.parts {
                do {
                    try await Self.write(part, of: write, by: provider)
                } catch {
                    failures += 1
                    let end = try await provider.writtenRanges(of: write).last?.upperBound ?? 0
                    #expect(end == part.lowerBound + Int64(part.count) / 2)
                    try await Self.write(part, of: write, by: provider)
                }
            }
            if skipping == 2 {
                await #expect(throws: (any Error).self) {
                    try await provider.finishPartialWrite(write, options: WriteOptions())
                }
                failures += 1
                #expect(lab.graph.account.storage.entries.isEmpty)
            }
            try await provider.finishPartialWrite(write, options: WriteOptions())
            #expect(failures == 1)
            #expect(lab.graph.account.storage.contents(at: "/a.bin") == Self.data)
            #expect(lab.journal.exchanges(route: "createUploadSession").count == 1)
            let sent = lab.journal.exchanges(route: "fragment").reduce(0) { $0 + $1.requestBytes }
            #expect(sent <= Int64(Self.data.count) + Self.parts[0].upperBound)
        }
    }

    @Test("a file whose last answer was lost is found, and not sent again")
    func lostAnswer() async throws {
        try await withDrive { provider, lab in
            let write = try await Self.begin(by: provider)
            lab.faults.add(.loseAnswer, route: "fragment", skipping: 2)
            for part in Self.parts { try await Self.write(part, of: write, by: provider) }
            let file = try await provider.finishPartialWrite(write, options: WriteOptions())
            #expect(file?.size == Int64(Self.data.count))
            #expect(lab.graph.account.storage.contents(at: "/a.bin") == Self.data)
            #expect(lab.journal.exchanges(route: "fragment").count == 3)
        }
    }

    @Test("what is discarded, also by another provider, is gone, and can be discarded again", arguments: [true, false])
    func discarding(isBySame: Bool) async throws {
        try await withProviders { lab, make in
            let (first, second) = (try make(), try make())
            let write = try await Self.begin(by: first)
            try await Self.write(Self.parts[0], of: write, by: first)
            let discarding = isBySame ? first : second
            try await discarding.discardPartialWrite(write)
            #expect(lab.journal.exchanges(route: "cancelUpload").map(\.status) == [204])
            for provider in [first, second] {
                await #expect(throws: PartialWriteLostError.self) {
                    try await Self.write(Self.parts[1], of: write, by: provider)
                }
                try await provider.discardPartialWrite(write)
            }
            #expect(lab.graph.account.storage.entries.isEmpty)
            await first.invalidate()
            await second.invalidate()
        }
    }

    @Test("a session that the service has forgotten is a lost write, in the middle and at the end", arguments: [1, 2])
    func expired(skipping: Int) async throws {
        try await withDrive { provider, lab in
            let write = try await Self.begin(by: provider)
            lab.faults.add(.expireSession, route: "fragment", skipping: skipping)
            await #expect(throws: PartialWriteLostError.self) {
                for part in Self.parts { try await Self.write(part, of: write, by: provider) }
                try await provider.finishPartialWrite(write, options: WriteOptions())
            }
            #expect(lab.journal.exchanges(route: "fragment").count == skipping + 1)
            await #expect(throws: PartialWriteLostError.self) { try await provider.writtenRanges(of: write) }
            #expect(lab.graph.account.storage.entries.isEmpty)
        }
    }

    @Test("addresses of sessions never get the login: not with bytes, nor with a question, nor to end one")
    func unsigned() async throws {
        try await withDrive { provider, lab in
            let write = try await Self.begin(by: provider)
            lab.faults.add(.storeHalf, route: "fragment")
            await #expect(throws: (any Error).self) { try await Self.write(Self.parts[0], of: write, by: provider) }
            _ = try await provider.writtenRanges(of: write)
            try await provider.discardPartialWrite(write)
            let atSession = lab.journal.exchanges.filter { Self.sessionRoutes.contains($0.route) }
            #expect(Set(atSession.map(\.route)) == Self.sessionRoutes)
            #expect(atSession.allSatisfy { !$0.isAuthorized })
        }
    }

    @Test("a note that fails leaves no session behind")
    func noted() async throws {
        struct Broken: Error {}
        try await withDrive { provider, lab in
            let noted = Mutex<PartialWrite?>(nil)
            await #expect(throws: Broken.self) {
                try await provider.beginPartialWrite(path: "/a.bin", length: 10, options: WriteOptions()) { write in
                    noted.withLock { $0 = write }
                    throw Broken()
                }
            }
            #expect(lab.journal.exchanges(route: "cancelUpload").count == 1)
            let write = try #require(noted.withLock { $0 })
            await #expect(throws: PartialWriteLostError.self) { try await provider.writtenRanges(of: write) }
        }
    }

    // MARK: Conditions

    @Test("the condition holds at the end too, in another provider as well", arguments: [true, false])
    func condition(isBySame: Bool) async throws {
        try await withProviders { lab, make in
            let storage = lab.graph.account.storage
            try storage.write(Data("old".utf8), to: "/a.bin")
            let (first, second) = (try make(), try make())
            let tag = try await first.attributesOfItem(path: "/a.bin").eTag
            let options = WriteOptions(overwrite: true, ifMatch: tag)
            let write = try await Self.begin(by: first, options)
            let last = isBySame ? first : second
            for part in Self.parts { try await Self.write(part, of: write, by: last) }
            try storage.write(Data("newer".utf8), to: "/a.bin")
            await #expect(throws: PreconditionFailedError.self) {
                try await last.finishPartialWrite(write, options: options)
            }
            #expect(storage.contents(at: "/a.bin") == Data("newer".utf8))
            await first.invalidate()
            await second.invalidate()
        }
    }

    @Test("what began in order to replace a file does not end as a new one")
    func otherCondition() async throws {
        try await withDrive { provider, lab in
            let storage = lab.graph.account.storage
            let write = try await Self.begin(by: provider, WriteOptions(overwrite: true))
            for part in Self.parts { try await Self.write(part, of: write, by: provider) }
            try storage.write(Data("other".utf8), to: "/a.bin")
            await #expect(throws: PartialWriteLostError.self) {
                try await provider.finishPartialWrite(write, options: WriteOptions())
            }
            #expect(storage.contents(at: "/a.bin") == Data("other".utf8))
        }
    }

    @Test("a file that appears meanwhile stays, even one with the same contents")
    func appeared() async throws {
        try await withDrive { provider, lab in
            let storage = lab.graph.account.storage
            let write = try await Self.begin(by: provider)
            for part in Self.parts { try await Self.write(part, of: write, by: provider) }
            try storage.write(Self.data, to: "/a.bin")
            let version = storage.entry(at: "/a.bin")?.version
            let error = await #expect(throws: CocoaError.self) {
                try await provider.finishPartialWrite(write, options: WriteOptions())
            }
            #expect(error?.code == .fileWriteFileExists)
            #expect(storage.entry(at: "/a.bin")?.version == version)
        }
    }
}
