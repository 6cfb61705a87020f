import FerryCore
import FerryHTTP
import FerryLocal
import FerryTestServers
import FerryWebDAV
import Foundation
import Testing

@testable import FerryTransfer

@Suite("Of a tree that has changed a little, a little is sent")
struct ChangedPartTests {
    private static let fileSize = 100_000
    private static let files = 200

    private let scratch: ScratchFolder

    init() throws {
        scratch = try ScratchFolder()
        for index in 0..<Self.files { try write(index, seed: UInt64(index), date: 1_600_000_000) }
    }

    private func write(_ index: Int, size: Int = Self.fileSize, seed: UInt64, date: Double) throws {
        let url = scratch.url.appending(path: "from/\(index % 10)/\(index).bin")
        let folder = url.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try noise(size, seed: seed).write(to: url)
        let attributes: [FileAttributeKey: Any] = [.modificationDate: Date(timeIntervalSince1970: date)]
        try FileManager.default.setAttributes(attributes, ofItemAtPath: url.path)
    }

    @Test("of 1 % changed files only these are sent, to Apache")
    func onePercent() async throws {
        let server = try await RealServer.start(.apache)
        let place = try server.makePlace(server.http)
        let port = try #require(place.url.port)
        try await withFaultProxy(to: port) { proxy in
            func pass() async throws -> (report: TransferReport, sent: Int) {
                let before = proxy.requestByteCount
                let credential = FileProviderCredential(user: server.user, secret: .password(server.password))
                let target = try WebDAVFileProvider(baseURL: proxy.url(like: place.url), credential: credential)
                let report = try await Transfer(
                    from: TransferPlace(LocalFileProvider(baseURL: scratch.url.appending(path: "from"))),
                    to: TransferPlace(target, "/copy")
                ).run()
                await target.invalidate()
                return (report, proxy.requestByteCount - before)
            }
            let first = try await pass()
            #expect(first.report.isComplete && first.report.bytes == Int64(Self.files * Self.fileSize))
            let idle = try await pass()
            #expect(idle.report.bytes == 0 && idle.report.counts == [.skip: Self.files], "\(idle.report)")
            // Apache keeps its own dates: there a change shows by the size.
            let (changed, size) = (Self.files / 100, Self.fileSize + 1_000)
            for index in 0..<changed {
                try write(index * 37, size: size, seed: UInt64(1_000 + index), date: 1_700_000_000)
            }
            let third = try await pass()
            #expect(third.report.isComplete && third.report.bytes == Int64(changed * size))
            #expect(third.report.counts == [.skip: Self.files - changed, .update: changed])
            // Beside the listings, which the pass with nothing to do has too: the bodies, and the heads of what a
            // replacement takes.
            let sent = third.sent - idle.sent
            #expect(sent >= changed * size && sent <= changed * (size + 5_000), "\(sent)")
        }
    }
}
