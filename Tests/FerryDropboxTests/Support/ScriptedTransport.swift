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

        /// The route, such as `files/list_folder`.
        var route: String {
            let path = head.path ?? ""
            return path.hasPrefix("/2/") ? String(path.dropFirst(3)) : path
        }

        /// The argument of the route.
        var argument: String {
            head.headerFields[.known("Dropbox-API-Arg")] ?? String(decoding: body, as: UTF8.self)
        }
    }

    /// An answer.
    struct Answer: Sendable {
        var status = 200
        var fields = HTTPFields()
        var body = "null"

        /// Makes an answer of JSON.
        static func json(_ body: String, status: Int = 200) -> Answer { Answer(status: status, body: body) }

        /// Makes a refusal with a union of tags.
        static func refusal(_ error: String) -> Answer {
            Answer(status: 409, body: #"{"error_summary":"never to be read","error":\#(error)}"#)
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
