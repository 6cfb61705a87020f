import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

@testable import FerryCloudLab

/// A client that knows HTTP and nothing else: one connection for each request.
struct LabClient: Sendable {
    /// An answer.
    struct Answer: Sendable {
        var status: Int
        var headers: HTTPHeaders
        var body: [UInt8]
        /// A Boolean value that indicates whether the answer came as a whole.
        var isComplete: Bool

        var text: String { String(decoding: body, as: UTF8.self) }
        var json: JSONValue { (try? JSONParser.parse(body)) ?? .null }
        /// The tag of the error, such as `path`.
        var summary: String { json["error_summary"]?.string ?? "" }
    }

    /// The connection ended without an answer.
    struct NoAnswer: Error {}

    /// Sends a `POST` request.
    static func send(
        _ url: URL,
        headers: HTTPHeaders = HTTPHeaders(),
        body: [UInt8] = []
    ) async throws -> Answer {
        try await send(.POST, url, headers: headers, body: body)
    }

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - url: The address.
    ///   - headers: The fields, without `Host` and `Content-Length`.
    ///   - body: The body.
    /// - Returns: The answer.
    /// - Throws: ``NoAnswer``, or the error of the connection.
    static func send(
        _ method: HTTPMethod,
        _ url: URL,
        headers: HTTPHeaders = HTTPHeaders(),
        body: [UInt8] = []
    ) async throws -> Answer {
        let parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        let (host, port) = (parts?.host ?? "127.0.0.1", parts?.port ?? 80)
        let target = (parts?.percentEncodedPath ?? "/") + (parts?.percentEncodedQuery.map { "?" + $0 } ?? "")
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: host, port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    return try NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>(
                        wrappingChannelSynchronously: channel
                    )
                }
            }
        var headers = headers
        headers.replaceOrAdd(name: "Host", value: "\(host):\(port)")
        headers.replaceOrAdd(name: "Connection", value: "close")
        if method == .POST || method == .PUT {
            headers.replaceOrAdd(name: "Content-Length", value: String(body.count))
        }
        let head = HTTPRequestHead(version: .http1_1, method: method, uri: target, headers: headers)
        return try await channel.executeThenClose { inbound, outbound in
            // The server may cut the connection while we send, and then has said all that it will say.
            do {
                try await outbound.write(.head(head))
                if !body.isEmpty { try await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: body)))) }
                try await outbound.write(.end(nil))
            } catch {}
            var answer: Answer?
            do {
                for try await part in inbound {
                    switch part {
                    case .head(let head):
                        answer = Answer(
                            status: Int(head.status.code),
                            headers: head.headers,
                            body: [],
                            isComplete: false
                        )
                    case .body(let bytes): answer?.body.append(contentsOf: bytes.readableBytesView)
                    case .end: answer?.isComplete = true
                    }
                }
            } catch {
                guard answer != nil else { throw NoAnswer() }
            }
            guard let answer else { throw NoAnswer() }
            return answer
        }
    }
}
