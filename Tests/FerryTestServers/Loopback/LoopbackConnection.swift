import HTTPTypes
import NIOCore
import NIOHTTP1

/// One connection of a ``LoopbackServer``: reads request after request, and writes the answers.
actor LoopbackConnection {
    private typealias Inbound = NIOAsyncChannelInboundStream<HTTPServerRequestPart>
    private var inbound: Inbound.AsyncIterator?
    private let channel: any Channel
    private let scheme: String
    private var isBodyOver = true

    init(
        _ inbound: sending NIOAsyncChannelInboundStream<HTTPServerRequestPart>.AsyncIterator,
        _ channel: any Channel,
        scheme: String
    ) {
        self.inbound = inbound
        self.channel = channel
        self.scheme = scheme
    }

    /// Answers requests until the client has no more.
    func run(_ handler: LoopbackServer.StreamingHandler, log: @Sendable (HTTPRequest) -> Void) async throws {
        while case .head(let head)? = try await nextPart() {
            let request = HTTPRequest(head, scheme: scheme)
            isBodyOver = false
            log(request)
            let answer = try await handler(LoopbackStreamedRequest(head: request, connection: self))
            try await write(answer, isHead: request.method == .head)
            // A client that is told to go away while it is sending may not get to see the answer: so read the rest.
            while try await nextChunk() != nil {}
            if answer.closes || !head.isKeepAlive { return }
        }
    }

    /// The next chunk of the request's body; `nil` after the last.
    func nextChunk() async throws -> ByteBuffer? {
        guard !isBodyOver else { return nil }
        switch try await nextPart() {
        case .body(let bytes)?: return bytes
        case .end?:
            isBodyOver = true
            return nil
        case .head?, nil:
            isBodyOver = true
            throw ChannelError.eof
        }
    }

    private func nextPart() async throws -> HTTPServerRequestPart? {
        guard var iterator = inbound.take() else { return nil }
        let part = try await iterator.next(isolation: self)
        inbound = iterator
        return part
    }

    private func write(_ answer: LoopbackAnswer, isHead: Bool) async throws {
        for head in answer.informational {
            try await write([.head(HTTPResponseHead(head.status, head.headerFields))])
        }
        var head = HTTPResponseHead(answer.status, answer.fields)
        let isFramed = head.headers.contains(name: "content-length") || head.headers.contains(name: "transfer-encoding")
        if !isFramed, answer.chunks == nil, answer.status.code != 204, answer.status.code != 304 {
            head.headers.add(name: "content-length", value: String(answer.body.readableBytes))
        }
        if answer.closes { head.headers.add(name: "connection", value: "close") }
        if let chunks = answer.chunks {
            try await write([.head(head)])
            while !isHead, let chunk = try await chunks() {
                try await write([.body(.byteBuffer(chunk))])
            }
            try await write([.end(nil)])
        } else {
            let hasBody = !isHead && answer.body.readableBytes > 0
            let body = hasBody ? [HTTPServerResponsePart.body(.byteBuffer(answer.body))] : []
            try await write([.head(head)] + body + [.end(nil)])
        }
    }

    /// Writes, and waits until the system has taken it: so that a client that doesn't read holds us up.
    private func write(_ parts: [HTTPServerResponsePart]) async throws {
        guard let last = parts.last else { return }
        for part in parts.dropLast() { channel.write(part, promise: nil) }
        try await channel.writeAndFlush(last)
    }
}

extension HTTPResponseHead {
    fileprivate init(_ status: HTTPResponse.Status, _ fields: HTTPFields) {
        self.init(
            version: .http1_1,
            status: HTTPResponseStatus(statusCode: status.code, reasonPhrase: status.reasonPhrase),
            headers: HTTPHeaders(fields.map { ($0.name.rawName, $0.value) })
        )
    }
}
