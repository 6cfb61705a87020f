import NIOCore
import NIOHTTP1
import Synchronization

/// Answers the browser that comes back from a login.
final class OAuth2LoopbackHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let path: String
    private let expectedState: Mutex<String?>.Shared
    private let arrived: ([String: String]) -> Void
    private var head: HTTPRequestHead?

    init(path: String, expectedState: Mutex<String?>.Shared, arrived: @escaping ([String: String]) -> Void) {
        self.path = path
        self.expectedState = expectedState
        self.arrived = arrived
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): self.head = head
        case .body: break
        case .end:
            guard let head = head.take() else { return }
            answer(head, context: context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func answer(_ head: HTTPRequestHead, context: ChannelHandlerContext) {
        let parts = head.uri.split(separator: "?", maxSplits: 1)
        guard head.method == .GET, parts.first.map(String.init) == path else {
            return write(.notFound, "There is nothing here.", context: context)
        }
        let pairs = OAuth2Form.pairs(parts.count > 1 ? parts[1] : "")
        guard let state = expectedState.value.withLock({ $0 }), pairs["state"] == state,
            pairs["code"] != nil || pairs["error"] != nil
        else {
            return write(.badRequest, "This login was not begun here. Nothing was done.", context: context)
        }
        // One answer for one login; whoever reloads the page is told the same as a stranger.
        expectedState.value.withLock { $0 = nil }
        let words = pairs["code"] == nil ? "The login was refused." : "You are logged in."
        write(.ok, words + " You can close this window.", context: context)
        arrived(pairs)
    }

    private func write(_ status: HTTPResponseStatus, _ text: String, context: ChannelHandlerContext) {
        let page = ByteBuffer(string: "<!doctype html><title>Ferry</title><p>\(text)</p>\n")
        let headers: HTTPHeaders = [
            "Content-Type": "text/html; charset=utf-8", "Content-Length": "\(page.readableBytes)",
            "Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "Connection": "close",
        ]
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(page))), promise: nil)
        // A handler is called on its channel's event loop, and so is what waits for its writes.
        context.writeAndFlush(wrapOutboundOut(.end(nil))).assumeIsolated().whenComplete { _ in
            context.close(promise: nil)
        }
    }
}
