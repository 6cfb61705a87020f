import FerryCore
import FerryHTTP
import FerryTestServers
import FerryWebDAV
import Foundation
import HTTPTypes
import NIOCore
import Synchronization

/// A WebDAV server in this process: it keeps files in memory, says that it is one of a kind, and does what a test wants
/// of it where a real one can't be made to.
final class DAVServer: Sendable {
    /// The server's reaction to a request, in place of the proper one.
    enum Whim: Sendable {
        /// It answers this, and does nothing.
        case answer(LoopbackAnswer)
        /// It does what it should, and the line breaks before its answer.
        case doneAndCut
        /// The line breaks, and nothing is done.
        case cut
        /// It does what it should, and answers this.
        case doneAndAnswer(LoopbackAnswer)
    }

    /// A request, with its body.
    struct Request: Sendable {
        let head: HTTPRequest
        let body: [UInt8]

        var method: String { head.method.rawValue }
        /// The item, decoded, without the slash at its end; `/` for the base folder.
        var path: String { DAVServer.path(head.path ?? "/") }

        subscript(name: String) -> String? { HTTPField.Name(name).flatMap { head.headerFields[$0] } }
    }

    struct Lock: Sendable {
        var path: String
        var token: String
        var owner: String
        var isDeep: Bool
    }

    struct State {
        /// Contents by path; `nil` for a folder.
        var items: [String: [UInt8]?] = ["/": nil]
        var locks: [Lock] = []
        var requests: [Request] = []
        var whim: (@Sendable (Request) -> Whim?)?
        var tokens = 0
        /// How files get dates.
        var dateSetting = WebDAVTraits.DateSetting.impossible
        /// Dates that files were given, in seconds since 1970.
        var dates: [String: Int] = [:]
        /// Which items it was asked to remove, if it looks at a body only when it has answered a removal of its name.
        var removals: (stream: AsyncStream<String>, continuation: AsyncStream<String>.Continuation)?
    }

    /// Which server it says that it is.
    let kind: WebDAVServerKind
    let state = Mutex(State())

    init(_ kind: WebDAVServerKind) {
        self.kind = kind
    }

    /// The requests that came so far, in order.
    var requests: [Request] { state.withLock(\.requests) }

    /// The methods of what came so far, in order.
    var methods: [String] { requests.map(\.method) }

    /// Paths of all items but the base folder, in order.
    var names: [String] { state.withLock { $0.items.keys.filter { $0 != "/" }.sorted() } }

    /// Returns what a file has in it.
    func text(_ path: String) -> String? {
        state.withLock { state in state.items[path].flatMap { $0 }.map { String(decoding: $0, as: UTF8.self) } }
    }

    /// Puts files there, and folders, whose names end in `/`.
    func plant(_ items: [String: String]) {
        state.withLock { state in
            for (path, text) in items {
                if path.hasSuffix("/") {
                    state.items[String(path.dropLast())] = .some(nil)
                } else {
                    state.items[path] = .some(Array(text.utf8))
                }
            }
        }
    }

    /// The date that a file was given, in seconds since 1970.
    func date(of path: String) -> Int? { state.withLock { $0.dates[path] } }

    /// Has the server take dates in one way.
    func takeDates(by setting: WebDAVTraits.DateSetting) { state.withLock { $0.dateSetting = setting } }

    /// Forgets what came.
    func forget() { state.withLock { $0.requests = [] } }

    /// Has the server do something else with some requests.
    func whim(_ whim: (@Sendable (Request) -> Whim?)?) { state.withLock { $0.whim = whim } }

    /// Has the server look at a body only when it has answered a removal of its name, as one with much to do may.
    func hearRemovalsFirst() { state.withLock { $0.removals = AsyncStream.makeStream(of: String.self) } }

    /// Answers a request.
    @Sendable func answer(_ streamed: LoopbackStreamedRequest) async throws -> LoopbackAnswer {
        let body = try await body(of: streamed)
        let request = Request(head: streamed.head, body: body)
        let whim = state.withLock { state in
            state.requests.append(request)
            return state.whim
        }
        switch whim?(request) {
        case .answer(let answer)?: return answer
        case .cut?: throw ChannelError.eof
        case .doneAndCut?:
            _ = perform(request)
            throw ChannelError.eof
        case .doneAndAnswer(let answer)?:
            _ = perform(request)
            return answer
        case nil:
            let answer = perform(request)
            if request.method == "DELETE" { state.withLock { $0.removals }?.continuation.yield(request.path) }
            return answer
        }
    }

    /// Reads a body; what has come of one that breaks off some servers keep under the name.
    private func body(of request: LoopbackStreamedRequest) async throws -> [UInt8] {
        var body: [UInt8] = []
        let path = Self.path(request.target)
        let isKept = request.head.method == .put && keepsHalves
        var isBegun = false
        if isKept, let removals = state.withLock({ $0.removals }) {
            for await removed in removals.stream where removed == path { break }
        }
        while let chunk = try await request.nextChunk() {
            body += chunk.readableBytesView
            guard isKept else { continue }
            state.withLock { state in
                // Removed meanwhile, it stays so: what is written then has no name.
                if !isBegun || state.items[path] != nil { state.items[path] = .some(body) }
            }
            isBegun = true
        }
        return body
    }

    /// Indicates whether what has come of a body that breaks off stays under the name.
    private var keepsHalves: Bool { [.wsgidav, .golang, .unknown].contains(kind) }

    /// The item of a request's path.
    static func path(_ target: String) -> String {
        var path = (target.removingPercentEncoding ?? target).dropFirst("/dav".count)
        if path.hasSuffix("/") { path.removeLast() }
        return path.isEmpty ? "/" : String(path)
    }
}

/// Starts a server of a kind, and a provider that has asked it what it is.
func withDAVServer<Result>(
    _ kind: WebDAVServerKind = .apache,
    _ configuration: HTTPTransportConfiguration = HTTPTransportConfiguration(),
    discovering: Bool = true,
    perform body: (DAVServer, WebDAVFileProvider) async throws -> Result
) async throws -> Result {
    let server = DAVServer(kind)
    let loopback = try await LoopbackServer.startStreaming(server.answer)
    let files = try WebDAVFileProvider(
        baseURL: loopback.url.appending(path: "dav/"),
        credential: nil,
        transport: NIOTransport(configuration)
    )
    do {
        if discovering { try await files.discover(probing: false) }
        server.forget()
        let result = try await body(server, files)
        await files.invalidate()
        await loopback.stop()
        return result
    } catch {
        await files.invalidate()
        await loopback.stop()
        throw error
    }
}
