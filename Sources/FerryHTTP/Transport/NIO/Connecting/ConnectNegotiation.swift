import FerryCore
import Foundation
import HTTPTypes
import NIOCore

/// Has an HTTP proxy make a tunnel (`CONNECT`, RFC 9110 §9.3.6).
struct ConnectNegotiation: TunnelNegotiation {
    /// Bytes of a refusal that are read for its words.
    private static let longestRefusal = 16 << 10

    private let target: String
    private let credential: String?
    private var parser = HTTPAnswerParser(maximumHeaderSize: 64 << 10)
    private var refusal: HTTPResponse?
    private var words = Data()

    init(host: String, port: Int, credential: String?) {
        let host = host.contains(":") ? "[\(host)]" : host
        target = "\(host):\(port)"
        self.credential = credential
    }

    mutating func begin() -> ByteBuffer {
        parser.begin(.connect)
        var head = ByteBuffer(string: "CONNECT \(target) HTTP/1.1\r\nHost: \(target)\r\n")
        if let credential { head.writeString("Proxy-Authorization: \(credential)\r\n") }
        head.writeStaticString("\r\n")
        return head
    }

    mutating func receive(_ bytes: ByteBuffer) throws -> TunnelStep {
        parser.append(bytes)
        while let part = try parser.next() {
            switch part {
            case .interim: break
            case .head(let head): if head.status.code >= 300 { refusal = head }
            case .body(let bytes):
                words.append(contentsOf: bytes.readableBytesView.prefix(Self.longestRefusal - words.count))
                if words.count == Self.longestRefusal { throw closed() }
            case .end:
                guard refusal == nil else { throw closed() }
                return .open(parser.takeRest())
            }
        }
        return .wait
    }

    mutating func closed() -> any Error {
        guard let refusal else {
            return URLError.answer(.cannotConnectToHost, description: "the proxy has closed the connection")
        }
        let reply = HTTPReply(head: refusal, body: HTTPReplyBody())
        let answer = HTTPServerError(reply, path: .root, body: words)
        let said = answer.serverDescription.map { ": \($0)" } ?? ""
        // Some say 401 to a wrong password.
        if [401, 407].contains(refusal.status.code) {
            return URLError.answer(
                .userAuthenticationRequired,
                description: "the proxy asks for a password, or for another (\(refusal.status.code)\(said))",
                underlying: answer
            )
        }
        return URLError.answer(
            .cannotConnectToHost,
            description: "the proxy makes no connection to the server (\(refusal.status.code)\(said))",
            underlying: answer
        )
    }
}
