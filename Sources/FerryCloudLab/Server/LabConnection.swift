import Foundation
import NIOCore
import NIOHTTP1

/// A reader of requests and writer of answers on one connection.
enum LabConnection {
    typealias Wrapped = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>
    typealias Inbound = NIOAsyncChannelInboundStream<HTTPServerRequestPart>
    typealias Outbound = NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>

    /// The largest body that is kept; of a larger one, which services refuse, only the length is known.
    private static let maximumBody: Int64 = 512 << 20

    /// Answers request after request until the client has no more, or a fault cuts the connection.
    static func serve(_ inbound: Inbound, _ outbound: Outbound, _ dispatcher: LabDispatcher) async throws {
        var parts = inbound.makeAsyncIterator()
        while case .head(let head)? = try await parts.next() {
            var exchange = dispatcher.begin(head)
            if head.headers["expect"].contains(where: { $0.lowercased() == "100-continue" }) {
                try await outbound.write(.head(HTTPResponseHead(version: .http1_1, status: .continue)))
            }
            let body = try await readBody(&parts, upTo: exchange.requestLimit, &exchange.record.requestBytes)
            guard let body else {
                dispatcher.end(exchange, status: nil, sent: 0)
                return
            }
            guard let response = await dispatcher.respond(to: exchange, body: body) else {
                dispatcher.end(exchange, status: nil, sent: 0)
                return
            }
            let isComplete = try await write(response, to: outbound, head: head, exchange: exchange, dispatcher)
            if !isComplete || !head.isKeepAlive { return }
        }
    }

    /// Reads a body; returns `nil` if the client ends too early, or the limit that a fault sets is reached.
    private static func readBody(
        _ parts: inout Inbound.AsyncIterator,
        upTo limit: Int64?,
        _ count: inout Int64
    ) async throws -> CloudContent? {
        var body = CloudContent()
        while let part = try await parts.next() {
            switch part {
            case .head: return nil
            case .body(let bytes):
                count += Int64(bytes.readableBytes)
                if body.count < maximumBody { body.append(bytes) }
                if let limit, count >= limit { return nil }
            case .end: return limit == nil ? body : nil
            }
        }
        return nil
    }

    /// Writes an answer; returns `false` if a fault has cut it short.
    private static func write(
        _ response: LabResponse,
        to outbound: Outbound,
        head: HTTPRequestHead,
        exchange: LabExchange,
        _ dispatcher: LabDispatcher
    ) async throws -> Bool {
        var headers = response.headers
        let isBodiless = response.status == 204 || response.status == 304
        if !isBodiless { headers.replaceOrAdd(name: "Content-Length", value: String(response.body.count)) }
        let status = HTTPResponseStatus(statusCode: response.status)
        let responseHead = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        guard head.method != .HEAD, !isBodiless, response.body.count > 0 else {
            dispatcher.end(exchange, response, sent: 0)
            try await outbound.write(contentsOf: [.head(responseHead), .end(nil)])
            return true
        }
        let sent = min(exchange.responseLimit ?? response.body.count, response.body.count)
        let isComplete = sent == response.body.count
        // Ahead of the bytes, so that a client that has its answer finds the exchange in the journal.
        dispatcher.end(exchange, response, sent: sent)
        let pieces = isComplete ? response.body.pieces : response.body.part(0..<sent).pieces
        if let pause = exchange.pause {
            try await outbound.write(.head(responseHead))
            for var piece in pieces {
                while piece.readableBytes > 0, let part = piece.readSlice(length: min(16384, piece.readableBytes)) {
                    try await Task.sleep(for: pause)
                    try await outbound.write(.body(.byteBuffer(part)))
                }
            }
            if isComplete { try await outbound.write(.end(nil)) }
        } else if pieces.count <= 1 {
            var parts: [HTTPServerResponsePart] = [.head(responseHead)]
            parts += pieces.map { .body(.byteBuffer($0)) }
            if isComplete { parts.append(.end(nil)) }
            try await outbound.write(contentsOf: parts)
        } else {
            try await outbound.write(.head(responseHead))
            for piece in pieces { try await outbound.write(.body(.byteBuffer(piece))) }
            if isComplete { try await outbound.write(.end(nil)) }
        }
        return isComplete
    }
}
