import Foundation
import NIOCore
import Testing

@testable import FerryCore

@Suite("Content whose length nobody knows")
struct SpooledContentsTests {
    private struct Broken: Error {}

    /// The files that content is kept in, as far as they can be seen.
    private func visible() throws -> Set<String> {
        let folder = FileManager.default.temporaryDirectory.path(percentEncoded: false)
        return Set(
            try FileManager.default.contentsOfDirectory(atPath: folder)
                .filter { $0.hasPrefix("ferry-") && $0.hasSuffix(".tmp") }
        )
    }

    @Test("comes back whole with its length, and leaves no file", arguments: [0, 1 << 20, (1 << 20) + 1, 3_000_001])
    func whole(size: Int) async throws {
        let before = try visible()
        let data = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try await withSpooledContents(of: DataChunks(data), reporting: nil) { stream, length in
            #expect(length == Int64(size))
            let collected = try await stream.collect()
            #expect(collected == data)
        }
        #expect(try visible().subtracting(before).isEmpty)
    }

    @Test("leaves no file when what is done with it fails, or is cancelled")
    func failing() async throws {
        let before = try visible()
        let data = Data(repeating: 1, count: 2 << 20)
        await #expect(throws: Broken.self) {
            try await withSpooledContents(of: DataChunks(data), reporting: nil) { _, _ in throw Broken() }
        }
        let task = Task {
            try await withSpooledContents(of: DataChunks(data), reporting: nil) { _, _ in
                withUnsafeCurrentTask { $0?.cancel() }
                try Task.checkCancellation()
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try visible().subtracting(before).isEmpty)
    }
}
