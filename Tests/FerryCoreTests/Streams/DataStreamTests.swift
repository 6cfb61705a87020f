import FerryCore
import FerryMemory
import Foundation
import Synchronization
import Testing

@Suite("A stream of Data")
struct DataStreamTests {
    private static let contents = Data((0..<600_000).map { UInt8(truncatingIfNeeded: $0) })

    @Test("has the bytes of the file, and is written as a file")
    func readsAndWrites() async throws {
        let files = MemoryFileProvider()
        let chunks = AsyncStream<Data> { continuation in
            continuation.yield(Self.contents.prefix(1))
            continuation.yield(Data())
            continuation.yield(Self.contents.dropFirst())
            continuation.finish()
        }
        try await files.writeStream(path: "/a", data: chunks)
        var read = Data()
        for try await chunk in try await files.contentStream(path: "/a").data { read += chunk }
        #expect(read == Self.contents)
    }

    @Test("arrives at a handler with the position of each chunk")
    func handler() async throws {
        let files = MemoryFileProvider()
        try await files.writeContents(path: "/a", contents: Self.contents)
        let read = Mutex((data: Data(), isInOrder: true, size: Int64?.none))
        let error = await withCheckedContinuation { continuation in
            files.contents(path: "/a", offset: 100) { facts in
                read.withLock { $0.size = facts.size }
            } progressHandler: { position, data in
                read.withLock {
                    $0.isInOrder = $0.isInOrder && position == 100 + Int64($0.data.count)
                    $0.data += data
                }
            } completionHandler: {
                continuation.resume(returning: $0)
            }
        }
        #expect(error == nil)
        #expect(read.withLock { $0.data == Self.contents.dropFirst(100) && $0.isInOrder && $0.size == 600_000 })
    }
}
