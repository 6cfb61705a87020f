import FerryCore
import NIOCore

/// The chunks of a stream, cut into pieces of 4 KiB, so that a process can die between them.
actor SmallChunks {
    private static let size = 4 << 10

    private var iterator: FileContentStream.AsyncIterator
    private var rest = ByteBuffer()

    init(_ stream: FileContentStream) {
        iterator = stream.makeAsyncIterator()
    }

    func next() async throws -> ByteBuffer? {
        if rest.readableBytes == 0 {
            var advancing = iterator
            defer { iterator = advancing }
            guard let chunk = try await advancing.next() else { return nil }
            rest = chunk
        }
        return rest.readSlice(length: min(rest.readableBytes, Self.size))
    }
}
