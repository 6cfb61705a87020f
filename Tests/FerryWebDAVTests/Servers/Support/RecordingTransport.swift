import FerryHTTP
import Foundation
import HTTPTypes
import Synchronization

/// Notes each request as it is handed to a transport, and what was answered.
final class RecordingTransport: HTTPTransport {
    /// A request, and the head of its answer.
    struct Exchange: Sendable {
        let request: HTTPRequest
        /// The body's length in bytes; `nil` if there is none, or it isn't known.
        let bodyLength: Int64?
        /// `nil` until it came.
        var response: HTTPResponse?

        /// The method, and the path behind a place's URL.
        func line(below place: URL) -> String {
            let path = request.path ?? ""
            let base = place.path(percentEncoded: true)
            return "\(request.method.rawValue) \(path.hasPrefix(base) ? String(path.dropFirst(base.count)) : path)"
        }

        /// A field of the request.
        subscript(name: String) -> String? {
            HTTPField.Name(name).flatMap { request.headerFields[$0] }
        }
    }

    private struct State {
        var exchanges: [Exchange] = []
        var spoilsPasswords = false
        var meanwhile: (isDue: @Sendable (Exchange) -> Bool, action: @Sendable () throws -> Void)?
    }

    private let transport: any HTTPTransport
    private let state = Mutex(State())

    init(_ transport: any HTTPTransport) {
        self.transport = transport
    }

    /// The requests that were sent so far, and their answers, in order.
    var exchanges: [Exchange] { state.withLock(\.exchanges) }

    /// The methods of what was sent so far, in order.
    var methods: [String] { exchanges.map(\.request.method.rawValue) }

    /// Forgets what was sent so far.
    func forget() {
        state.withLock { $0.exchanges = [] }
    }

    /// From now on the server sees a wrong password.
    func spoilPasswords() {
        state.withLock { $0.spoilsPasswords = true }
    }

    /// Does something once: when a request was answered, and before the one who sent it knows.
    func once(_ isDue: @escaping @Sendable (Exchange) -> Bool, _ action: @escaping @Sendable () throws -> Void) {
        state.withLock { $0.meanwhile = (isDue, action) }
    }

    func send(_ request: HTTPRequest, body: HTTPRequestBody?) async throws -> HTTPReply {
        let (number, spoils) = state.withLock { state in
            state.exchanges.append(Exchange(request: request, bodyLength: body?.length))
            return (state.exchanges.count - 1, state.spoilsPasswords)
        }
        let reply = try await transport.send(spoils ? request.withWrongPassword : request, body: body)
        let action = state.withLock { state -> (@Sendable () throws -> Void)? in
            guard state.exchanges.indices.contains(number) else { return nil }
            state.exchanges[number].response = reply.head
            guard let meanwhile = state.meanwhile, meanwhile.isDue(state.exchanges[number]) else { return nil }
            state.meanwhile = nil
            return meanwhile.action
        }
        try action?()
        return reply
    }

    func shutdown() async {
        await transport.shutdown()
    }
}

extension HTTPRequest {
    /// The same request by somebody who doesn't know the password.
    fileprivate var withWrongPassword: HTTPRequest {
        guard let login = headerFields[.authorization] else { return self }
        var request = self
        if login.hasPrefix("Basic ") {
            request.headerFields[.authorization] = "Basic \(Data("ferry:wrong".utf8).base64EncodedString())"
        } else {
            // A Digest's proof is 32 or 64 hexadecimal digits.
            request.headerFields[.authorization] = login.replacing(/response="[0-9a-f]+"/) { match in
                #"response="\#(String(repeating: "0", count: match.0.count - 11))""#
            }
        }
        return request
    }
}
