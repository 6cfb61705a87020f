import Dispatch
import Foundation
import NIOCore
import Testing

@testable import FerryFTP

@Suite("Bytes on their way from a connection's thread to a task")
struct PipeTests {
    @Test("come all, and in their order, whatever the sizes of the pieces", arguments: [UInt64(1), 2, 3])
    func order(_ seed: UInt64) async throws {
        var whole = Data()
        // A prime, so that no two chunks are alike.
        for byte in UInt8(0)..<251 { whole.append(byte) }
        while whole.count < 12 << 20 { whole.append(whole) }
        let bytes = whole
        let pipe = FTPPipe()
        Thread.detachNewThread {
            var (sent, size) = (0, Int(seed))
            while sent < bytes.count {
                // From one byte to more than a chunk.
                size = (size &* 7_919 &+ 13) % (400 << 10) + 1
                let piece = bytes[sent..<min(sent + size, bytes.count)]
                guard piece.withUnsafeBytes({ pipe.write($0) }) else { return }
                sent += piece.count
            }
            pipe.finish()
        }
        var got = Data()
        while let chunk = try await pipe.next() { got.append(contentsOf: chunk.readableBytesView) }
        #expect(got == bytes)
    }

    @Test("are there at once, however few they are")
    func fewBytes() async throws {
        let pipe = FTPPipe()
        let taken = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            for number in UInt8.min...UInt8.max {
                for _ in 0..<8 {
                    guard withUnsafeBytes(of: number, { pipe.write($0) }) else { return }
                    taken.wait()
                }
            }
            pipe.finish()
        }
        var count = 0
        while let chunk = try await pipe.next() {
            #expect(Array(chunk.readableBytesView) == [UInt8(count / 8)])
            count += 1
            taken.signal()
        }
        #expect(count == 2_048)
    }

    @Test("that nobody wants any more end the writing")
    func unwanted() async throws {
        let pipe = FTPPipe()
        let ended = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            let piece = Data(count: 64 << 10)
            while piece.withUnsafeBytes({ pipe.write($0) }) {}
            ended.signal()
        }
        _ = try await pipe.next()
        pipe.finish(.failure(CancellationError()))
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                ended.wait()
                continuation.resume()
            }
        }
    }
}
