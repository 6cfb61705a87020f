import FerryCore
import HTTPTypes
import NIOCore
import Synchronization
import Testing

@testable import FerryHTTP

/// A transport that takes bodies that are there in one piece.
private final class PieceTaker: HTTPTransport {
    let pieces = SharedValue<[ByteBuffer]>([])

    func send(_ request: HTTPRequest, body: HTTPRequestBody?) async throws -> HTTPReply {
        pieces.value.withLock { $0 += [body?.wholeBytes?()].compactMap(\.self) }
        return answer(201)
    }

    func shutdown() async {}
}

@Suite("Waits that a transport notes")
struct WatchedTransportTests {
    private static func start(_ watch: WaitWatch) -> ContinuousClock.Instant? {
        watch.waits(longerThan: .zero).first?.start
    }

    @Test("begin with a body's last chunk, and with none while a chunk is made")
    func upload() async throws {
        let watch = WaitWatch()
        let made = SharedValue<[ContinuousClock.Instant]>([])
        let base = ScriptedTransport { _, _ in
            let start = try #require(Self.start(watch))
            #expect(made.value.withLock { $0.count == 3 && $0.allSatisfy { $0 <= start } })
            return answer(201)
        }
        let body = HTTPRequestBody(length: 2, isReplayable: false) {
            {
                #expect(Self.start(watch) == nil)
                return made.value.withLock { made in
                    made.append(.now)
                    return made.count < 3 ? ByteBuffer(bytes: [1]) : nil
                }
            }
        }
        _ = try await WatchedTransport(base, watch: watch).send(.to(.put, "/a"), body: body)
        #expect(base.sent.first?.body?.count == 2)
        #expect(Self.start(watch) == nil)
    }

    @Test("begin with the request where there is no body, and end with an error")
    func failure() async throws {
        let watch = WaitWatch()
        let base = ScriptedTransport { _, _ in
            #expect(Self.start(watch) != nil)
            throw CancellationError()
        }
        await #expect(throws: CancellationError.self) {
            _ = try await WatchedTransport(base, watch: watch).send(.to("/a"), body: nil)
        }
        #expect(Self.start(watch) == nil)
    }

    @Test("leave a small body in one piece")
    func piece() async throws {
        let base = PieceTaker()
        _ = try await WatchedTransport(base, watch: WaitWatch()).send(.to(.put, "/a"), body: HTTPRequestBody("small"))
        #expect(base.pieces.value.withLock { $0 } == [ByteBuffer(string: "small")])
    }
}
