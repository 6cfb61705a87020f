public import Foundation
public import HTTPTypes
import NIOCore
import Synchronization

/// A WebDAV server in this process that keeps files in memory, under `/dav/`, and is as odd as a test asks for.
///
/// ```swift
/// try await withOddWebDAVServer { server in
///     server.plant(["/a.txt": "a", "/folder/": ""])
///     server.change { $0.pageSize = 2 }
///     // … requests to server.url …
/// }
/// ```
public final class OddWebDAVServer: Sendable {
    /// A request, with its body.
    public struct Request: Sendable {
        /// Method, path, query and fields.
        public let head: HTTPRequest
        /// The body.
        public let body: [UInt8]

        /// The method.
        public var method: String { head.method.rawValue }
        /// The item, decoded, without a slash at its end; `/` for the base folder.
        public var path: String { OddWebDAVServer.path(head.path ?? "/") }

        /// A field's value.
        public subscript(name: String) -> String? { HTTPField.Name(name).flatMap { head.headerFields[$0] } }
    }

    struct Item: Sendable {
        /// The name as it was given.
        var name: String
        /// The contents; `nil` for a folder.
        var bytes: [UInt8]?
        /// Seconds since 1970.
        var modified: Int
        var version: Int
    }

    struct State {
        /// Items by their folded paths; the base folder is `/`.
        var items: [String: Item] = ["/": Item(name: "", bytes: nil, modified: 1_700_000_000, version: 0)]
        var oddities = WebDAVOddities()
        var requests: [Request] = []
        var version = 0
        /// The requests that each nonce has been used for.
        var nonces: [String: Int] = [:]
        var nonceCount = 0
    }

    let state = Mutex(State())
    private let listener = Mutex<LoopbackServer?>(nil)

    init() {}

    /// The URL of the base folder.
    public var url: URL { url(host: "127.0.0.1") }

    /// The URL of the base folder by another name of this machine.
    ///
    /// - Parameter host: Such as `localhost`.
    /// - Returns: The URL, which ends in `/`.
    public func url(host: String) -> URL {
        let server = listener.withLock { $0 }
        return (server?.url(host: host) ?? URL(filePath: "/")).appending(path: "dav/")
    }

    /// The requests so far, in order, with those that were refused.
    public var requests: [Request] { state.withLock(\.requests) }

    /// The methods of the requests so far, in order.
    public var methods: [String] { requests.map(\.method) }

    /// Forgets the requests so far.
    public func forget() { state.withLock { $0.requests = [] } }

    /// Changes the oddities.
    ///
    /// - Parameter change: The change.
    public func change(_ change: (inout WebDAVOddities) -> Void) {
        state.withLock { change(&$0.oddities) }
    }

    /// The paths of all items but the base folder, as they are spelled, in order.
    public var names: [String] {
        state.withLock { state in
            state.items.keys.filter { $0 != "/" }.map { Self.spelled($0, state) }.sorted()
        }
    }

    /// The contents of a file.
    ///
    /// - Parameter path: Such as `/folder/a.txt`.
    /// - Returns: The bytes; `nil` for a folder, or nothing.
    public func contents(_ path: String) -> [UInt8]? {
        state.withLock { state in state.items[Self.key(path, state.oddities)]?.bytes }
    }

    /// The contents of a file, as text.
    ///
    /// - Parameter path: Such as `/folder/a.txt`.
    /// - Returns: The text; `nil` for a folder, or nothing.
    public func text(_ path: String) -> String? { contents(path).map { String(decoding: $0, as: UTF8.self) } }

    /// The date of an item, in seconds since 1970.
    ///
    /// - Parameter path: Such as `/folder/a.txt`.
    /// - Returns: The date; `nil` for nothing.
    public func date(_ path: String) -> Int? {
        state.withLock { state in state.items[Self.key(path, state.oddities)]?.modified }
    }

    /// Puts items there, with the folders above them.
    ///
    /// - Parameter items: Texts by path; a path that ends in `/` is that of a folder.
    public func plant(_ items: [String: String]) {
        for (path, text) in items { plant(path, Array(text.utf8)) }
    }

    /// Puts an item there, with the folders above it.
    ///
    /// - Parameters:
    ///   - path: Its path; one that ends in `/` is that of a folder.
    ///   - bytes: Its contents.
    public func plant(_ path: String, _ bytes: [UInt8]) {
        state.withLock { state in
            let isFolder = path.hasSuffix("/")
            let names = path.split(separator: "/").map(String.init)
            for end in names.indices {
                let place = "/" + names[...end].joined(separator: "/")
                let isLast = end == names.count - 1
                if !isLast || isFolder, state.items[Self.key(place, state.oddities)] != nil { continue }
                Self.put(place, isLast && !isFolder ? bytes : nil, &state)
            }
        }
    }

    /// Removes an item, with all below it.
    ///
    /// - Parameter path: Its path.
    public func remove(_ path: String) {
        state.withLock { state in
            let key = Self.key(path, state.oddities)
            state.items = state.items.filter { $0.key != key && !$0.key.hasPrefix(key + "/") }
        }
    }

    // MARK: - Serving

    func start() async throws {
        let server = try await LoopbackServer.startStreaming { [self] request in try await answer(request) }
        listener.withLock { $0 = server }
    }

    func stop() async {
        let server = listener.withLock { $0 }
        await server?.stop()
    }

    private func answer(_ streamed: LoopbackStreamedRequest) async throws -> LoopbackAnswer {
        let body = Array(try await streamed.collect().readableBytesView)
        let request = Request(head: streamed.head, body: body)
        let oddities = state.withLock { state in
            state.requests.append(request)
            return state.oddities
        }
        if let delay = oddities.delay?(request) { try await Task.sleep(for: delay) }
        if let refusal = oddities.refusal?(request) { return refusal }
        var answer = state.withLock { state in
            Self.loginRefusal(request, &state) ?? Self.perform(request, &state)
        }
        let isText = answer.status.code == 207 || answer.status.code >= 400
        if isText, let coding = oddities.falseCoding { answer.fields[.contentEncoding] = coding }
        return answer
    }

    // MARK: - Paths

    /// The item of a request's path.
    static func path(_ target: String) -> String {
        let plain = String(target.prefix { $0 != "?" })
        var path = (plain.removingPercentEncoding ?? plain).dropFirst("/dav".count)
        if path.hasSuffix("/") { path.removeLast() }
        return path.isEmpty ? "/" : String(path)
    }

    /// The path as the server compares it.
    static func key(_ path: String, _ oddities: WebDAVOddities) -> String {
        var key = path
        if oddities.foldsCase { key = key.lowercased() }
        if oddities.foldsForms { key = key.precomposedStringWithCanonicalMapping }
        return key
    }

    static func parent(_ path: String) -> String {
        let parent = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
        return parent.isEmpty ? "/" : String(parent)
    }

    static func name(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? "" }

    /// The path of an item with its names as they were given.
    static func spelled(_ key: String, _ state: State) -> String {
        guard key != "/", let item = state.items[key] else { return key }
        let folder = spelled(parent(key), state)
        return (folder == "/" ? "" : folder) + "/" + item.name
    }

    static func put(_ path: String, _ bytes: [UInt8]?, date: Int? = nil, _ state: inout State) {
        let key = key(path, state.oddities)
        state.version += 1
        let name = state.items[key]?.name ?? name(path)
        let now = Int(Date().timeIntervalSince1970)
        state.items[key] = Item(name: name, bytes: bytes, modified: date ?? now, version: state.version)
    }
}

/// Starts a server for as long as a test needs it.
///
/// - Parameter body: The work with the server.
/// - Returns: The value that `body` returns.
/// - Throws: Any error that `body` throws, or the error that keeps the server from listening.
public func withOddWebDAVServer<Result>(perform body: (OddWebDAVServer) async throws -> Result) async throws -> Result {
    let server = OddWebDAVServer()
    try await server.start()
    return try await withServer(server, stop: { await $0.stop() }, body)
}
