import FerryHTTP
import FerryTestKit
import FerryTestServers
import Foundation
import HTTPTypes
import NIOCore
import Synchronization
import Testing

@Suite("Random exchanges")
struct RandomExchangeTests {
    /// More than what others leave on a connection can spoil for one that is well.
    private static let mostTries = 50

    @Test("end as they must: no hang, no wrong byte, no connection that is left", .timeLimit(.minutes(60)))
    func sweep() async throws {
        let seeds = Sweep.seeds(10_000)
        try await withRawServer { connection in
            try await RandomExchange.serve(connection)
        } perform: { server in
            var configuration = HTTPTransportConfiguration()
            configuration.maximumConnectionsPerHost = 6
            try await withTransport(.nio, configuration) { transport async throws in
                let next = SharedValue(seeds.lowerBound)
                await withTaskGroup { group in
                    for _ in 0..<12 {
                        group.addTask {
                            while let seed = next.value.withLock({ seed -> UInt64? in
                                guard seed < seeds.upperBound else { return nil }
                                defer { seed += 1 }
                                return seed
                            }) {
                                await Self.run(seed, server.url, transport)
                            }
                        }
                    }
                }
            }
            try await until("all connections are closed") { openSocketCount(to: server.port) == 0 }
        }
    }

    private static func run(_ seed: UInt64, _ url: URL, _ transport: any HTTPTransport) async {
        let exchange = RandomExchange(seed)
        for _ in 0..<mostTries {
            let error = await failure {
                switch exchange.reader {
                case .whole:
                    let reply = try await send(exchange, seed, url, transport)
                    let body = try await reply.body.collect(upTo: 1 << 20)
                    #expect(reply.status.code == exchange.status, "seed \(seed)")
                    #expect(body == exchange.body, "seed \(seed)")
                case .leavesAfterHead:
                    _ = try await send(exchange, seed, url, transport)
                case .leavesAfterFirstChunk:
                    var iterator = try await send(exchange, seed, url, transport).body.makeAsyncIterator()
                    let chunk = try await iterator.next()
                    #expect(chunk.map { exchange.body.starts(with: $0.readableBytesView) } ?? true, "seed \(seed)")
                case .isCancelled(let yields):
                    let task = Task {
                        _ = try await send(exchange, seed, url, transport).body.collect(upTo: 1 << 20)
                    }
                    for _ in 0..<yields { await Task.yield() }
                    task.cancel()
                    _ = await task.result
                }
            }
            guard let error else { return }
            #expect(error is URLError || error is StaleConnectionError, "seed \(seed): \(error)")
            // Bytes that another exchange has left on the connection may have spoilt it.
            guard exchange.mustSucceed else { return }
        }
        Issue.record("seed \(seed) never went well")
    }

    private static func send(
        _ exchange: RandomExchange,
        _ seed: UInt64,
        _ url: URL,
        _ transport: any HTTPTransport
    ) async throws -> HTTPReply {
        let method: HTTPRequest.Method = exchange.sent == nil ? .get : .put
        return try await transport.send(method, url, "/\(seed)", body: exchange.requestBody)
    }
}
