import Foundation
import SystemPackage

/// A pipe that a program writes to and a test reads from.
///
/// No file: some programs are tried with a limit on the size of what they write.
struct OutputPipe: Sendable {
    private let readEnd: FileDescriptor
    private let writeEnd: FileDescriptor

    init() throws {
        (readEnd, writeEnd) = try FileDescriptor.pipe()
    }

    /// The end that the program gets.
    var descriptor: Int32 { writeEnd.rawValue }

    /// Closes this process's copy of the end that the program has.
    func closeWriteEnd() {
        try? writeEnd.close()
    }

    /// Reads until nobody can write any more, on a thread of its own.
    func readToEnd() async -> Data {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [readEnd] in
                var data = Data()
                var chunk = [UInt8](repeating: 0, count: 64 << 10)
                while let count = try? chunk.withUnsafeMutableBytes({ try readEnd.read(into: $0) }), count > 0 {
                    data.append(contentsOf: chunk.prefix(count))
                }
                try? readEnd.close()
                continuation.resume(returning: data)
            }
        }
    }
}
