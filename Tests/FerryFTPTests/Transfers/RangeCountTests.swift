import FerryCore
import FerryFTP
import FerryTestKit
import FerryTestServers
import Foundation
import Testing

@Suite("A part of a large file costs little of the line")
struct RangeCountTests {
    private static let ways: [FTPServerWay] = [
        .init(.vsftpd, .plain), .init(.vsftpd, .explicit), .init(.pureftpd, .explicit), .init(.proftpd, .explicit),
        .init(.pyftpdlib, .explicit),
    ]

    /// Bytes that pass the proxy, which takes more from the server than our socket does, what its own sockets hold.
    private static let most = 512 << 10

    private static func content(_ start: Int) -> Data { Data((0..<100).map { UInt8(truncatingIfNeeded: start &+ $0) }) }

    @Test("a hundred bytes of 64 MiB", arguments: ways)
    func hundredBytes(_ way: FTPServerWay) async throws {
        // The system's own buffers grow as far as they like.
        try await withStage(way, FTPStage.Settings(sendBuffer: 64 << 10)) { stage in
            let size = 64 << 20
            let starts = [0, 1_000_003, size / 2]
            try stage.place.write(Data(), to: "big")
            let file = try FileHandle(forWritingTo: URL(filePath: stage.place.path).appending(path: "big"))
            try file.truncate(atOffset: UInt64(size))
            for start in starts {
                try file.seek(toOffset: UInt64(start))
                try file.write(contentsOf: Self.content(start))
            }
            try file.close()
            _ = try await stage.provider.attributesOfItem(path: "/big")
            for start in starts {
                // On a busy machine the proxy's own sockets fill before anybody gets to close them: the least counts.
                var least = Int.max
                for _ in 0..<3 where least > Self.most {
                    let before = stage.proxy.answerByteCount
                    let part = try await stage.provider.contents(path: "/big", offset: Int64(start), length: 100)
                    #expect(part == Self.content(start))
                    least = min(least, stage.proxy.answerByteCount - before)
                }
                #expect(least <= Self.most, "\(start)")
            }
        }
    }
}
