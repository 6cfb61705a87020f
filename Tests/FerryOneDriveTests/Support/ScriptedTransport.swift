import FerryHTTP
import Foundation
import HTTPTypes
import NIOCore
import Synchronization

/// Answers by a script, and remembers what was sent.
final class ScriptedTransport: HTTPTransport {
    /// A request as it was sent.
    struct Sent: Sendable {
        let head: HTTPRequest
        let body: Data

        /// Method and path behind the version, such as `GET /me/drive/root:/a.txt`, without the query.
        var route: String {
            let path = String((head.path ?? "").prefix { $0 != "?" })
            return "\(head.method.rawValue) \(path.hasPrefix("/v1.0") ? String(path.dropFirst(5)) : path)"
        }

        /// The query; empty if there is none.
        var query: String {
            (head.path ?? "").split(separator: "?", maxSplits: 1).dropFirst().first.map(String.init) ?? ""
        }

        /// The body as a text.
        var text: String { String(decoding: body, as: UTF8.self) }
    }

    /// An answer.
    struct Answer: Sendable {
        var status = 200
        var fields = HTTPFields()
        var body = ""

        /// Makes an answer of JSON.
        static func json(_ body: String, status: Int = 200) -> Answer { Answer(status: status, body: body) }

        /// Makes a refusal with a code.
        static func refusal(_ code: String, status: Int, inner: String? = nil) -> Answer {
            let finer = inner.map { #"{"code":"\#($0)","request-id":"r1"}"# } ?? #"{"request-id":"r1"}"#
            return Answer(
                status: status,
                body: #"{"error":{"code":"\#(code)","message":"never to be read","innerError":\#(finer)}}"#
            )
        }
    }

    typealias Script = @Sendable (_ sent: Sent, _ number: Int) async throws -> Answer

    private let script: Script
    private let requests = Mutex<[Sent]>([])

    /// Makes a transport.
    ///
    /// - Parameter script: Answers a request; requests are numbered from 0.
    init(_ script: @escaping Script) {
        self.script = script
    }

    /// All requests in the order in which they were sent.
    var sent: [Sent] { requests.withLock { $0 } }

    func send(_ request: HTTPRequest, body: HTTPRequestBody?) async throws -> HTTPReply {
        var data = Data()
        if let body {
            let source = try await body.makeSource()
            while let chunk = try await source() { data.append(contentsOf: chunk.readableBytesView) }
        }
        let sent = Sent(head: request, body: data)
        let number = requests.withLock { requests in
            requests.append(sent)
            return requests.count - 1
        }
        let answer = try await script(sent, number)
        var fields = answer.fields
        fields[.contentLength] = String(answer.body.utf8.count)
        return HTTPReply(
            head: HTTPResponse(status: .init(code: answer.status), headerFields: fields),
            body: HTTPReplyBody(ByteBuffer(string: answer.body))
        )
    }

    func shutdown() async {}
}
