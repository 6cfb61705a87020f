import FerryCore
import FerryFTP
import FerryLocal
import FerryTestKit
import FerryTestServers
import FerryTransfer
import Foundation
import Testing

@Suite("One large file")
struct LargeFileTests {
    @Test("comes by several connections at the same time, and is whole", arguments: [FTPServerWay(.vsftpd, .explicit)])
    func severalConnections(_ way: FTPServerWay) async throws {
        try await withStage(way) { stage in
            let content = Data((0..<40 << 18).flatMap { number in withUnsafeBytes(of: UInt32(number)) { Array($0) } })
            try stage.place.write(content, to: "big")
            let folder = FileManager.default.temporaryDirectory.appending(path: "ferry-large-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let report = try await Transfer(
                from: TransferPlace(stage.provider, "/"),
                to: TransferPlace(LocalFileProvider(baseURL: folder), "/")
            ).run()
            #expect(report.failures.isEmpty)
            #expect(try Data(contentsOf: folder.appending(path: "big")) == content)
            // Each has one for commands and one for data.
            #expect(stage.proxy.mostConnections >= 4)
        }
    }
}
