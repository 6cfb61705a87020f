import FerryCore
import FerryTestServers
import Foundation
import Testing

@testable import FerryWebDAV

/// Issue 24: answers whose bytes are known, though their status or their beginning is odd.
@Suite("A part of a file")
struct RangeQuirkTests {
    private static let bytes = Data((0..<10_000).map { UInt8(truncatingIfNeeded: $0 * 7) })

    @Test(
        "is taken out of whatever comes, if that says which bytes it is",
        arguments: [WebDAVOddities.RangeAnswer.part, .whole, .partWithOK, .early]
    )
    func parts(answer: WebDAVOddities.RangeAnswer) async throws {
        try await withOddServer { server, files in
            server.plant("/a", Array(Self.bytes))
            server.change { $0.ranges = answer }
            #expect(try await files.read("/a", .bytes(100..<200)) == Self.bytes[100..<200])
            #expect(try await files.read("/a", .from(9_990)) == Self.bytes.suffix(10))
            #expect(try await files.read("/a", .last(3)) == Self.bytes.suffix(3))
            let all = try await files.read("/a")
            #expect(all == Self.bytes)
        }
    }
}
