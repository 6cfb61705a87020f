public import Foundation
public import HTTPTypes
import NIOCore
import Synchronization

/// A stand-in for Nextcloud 32 in this process: its exchanges and its quirks, as far as a client meets them.
///
/// It knows `alice` (password `secret`, mail `alice@cloud.example`) and `bob` (password `other`).
public final class NextcloudServer: Sendable {
    private let loopback: Shared<LoopbackServer?> = Shared(nil)
    let state = Mutex(NextcloudState())
    private let standing = Mutex<Int?>(nil)

    private init() {
        state.withLock { state in
            let now = Int(Date().timeIntervalSince1970)
            for (index, user) in [("alice", "secret"), ("bob", "other")].enumerated() {
                state.users[user.0] = NextcloudUser(
                    id: user.0,
                    displayName: user.0.capitalized,
                    mail: "\(user.0)@cloud.example",
                    password: user.1
                )
                state.trees[user.0] = NextcloudTree(firstID: 20 + index * 1_000_000, now: now)
            }
        }
    }

    /// Starts a stand-in.
    ///
    /// - Parameters:
    ///   - tls: How it speaks TLS; `nil` for plain HTTP.
    ///   - change: Changes how it behaves.
    /// - Returns: The stand-in, listening.
    /// - Throws: The error that keeps it from listening.
    public static func start(
        tls: LoopbackTLS? = nil,
        _ change: (inout NextcloudSettings) -> Void = { _ in }
    ) async throws -> NextcloudServer {
        let server = NextcloudServer()
        server.configure(change)
        let loopback = try await LoopbackServer.startStreaming(tls: tls) { [weak server] request in
            guard let server else { throw CancellationError() }
            return try await server.answer(NextcloudRequest(request))
        }
        server.loopback.value.withLock { $0 = loopback }
        return server
    }

    /// Its origin, with a `/` at the end.
    public var url: URL { loopback.value.withLock { $0?.url } ?? URL(filePath: "/") }

    /// The heads of all requests that came so far, in order.
    public var requests: [HTTPRequest] { loopback.value.withLock { $0?.requests } ?? [] }

    /// Forgets the requests so far.
    public func forget() {
        loopback.value.withLock { $0 }?.forget()
    }

    /// Changes how it behaves.
    ///
    /// - Parameter change: Changes the settings.
    public func configure(_ change: (inout NextcloudSettings) -> Void) {
        state.withLock { change(&$0.settings) }
    }

    /// Lets something go wrong.
    ///
    /// - Parameter fault: The fault, which says what happens, and when.
    public func inject(_ fault: NextcloudFault) {
        state.withLock { $0.faults.append(fault) }
    }

    /// Lets nothing go wrong any more.
    public func clearFaults() {
        state.withLock { $0.faults = [] }
    }

    /// Stops listening, and closes all connections.
    public func stop() async {
        let server = loopback.value.withLock { server in
            defer { server = nil }
            return server
        }
        await server?.stop()
    }

    /// Returns what is where, without asking over HTTP.
    ///
    /// - Parameters:
    ///   - path: Names with `/` between them.
    ///   - user: The user whose files they are.
    /// - Returns: The item, or `nil`.
    public func node(_ path: String, of user: String = "alice") -> NextcloudNode? {
        state.withLock { state in
            let tree = state.trees[user]
            return tree?.find(NextcloudRequest.names(of: path)).flatMap { tree?.nodes[$0] }
        }
    }

    /// The contents that a file had before, oldest first.
    ///
    /// - Parameters:
    ///   - path: Names with `/` between them.
    ///   - user: The user whose files they are.
    /// - Returns: The versions.
    public func versions(_ path: String, of user: String = "alice") -> [NextcloudVersion] {
        guard let node = node(path, of: user) else { return [] }
        return state.withLock { $0.trees[user]?.versions[node.id] ?? [] }
    }

    /// Changes an item behind everybody's back: tags, comments, checksum, dates.
    ///
    /// - Parameters:
    ///   - path: Names with `/` between them.
    ///   - change: Takes the item.
    func changeNode(_ path: String, _ change: (inout NextcloudNode) -> Void) {
        guard let node = node(path) else { return }
        state.withLock { state in
            guard var changed = state.trees["alice"]?[node.id] else { return }
            change(&changed)
            state.trees["alice"]?[node.id] = changed
        }
    }

    /// Tags an item, and comments on it.
    ///
    /// - Parameters:
    ///   - path: Names with `/` between them.
    ///   - tags: The names of the tags.
    ///   - comments: How many comments there are.
    public func decorate(_ path: String, tags: [String], comments: Int) {
        changeNode(path) { node in
            node.tags = tags
            node.commentCount = comments
        }
    }

    /// Keeps something from alice.
    ///
    /// - Parameters:
    ///   - path: Names with `/` between them.
    ///   - lock: The requests that are refused to her.
    public func restrict(_ path: String, _ lock: NextcloudLock) {
        changeNode(path) { $0.lock = lock }
    }

    /// How many bytes alice may have; `nil` for any number.
    public func setQuota(_ bytes: Int?) {
        state.withLock { $0.trees["alice"]?.quota = bytes }
    }

    /// Gives alice another password, and ends her sessions.
    public func changePassword() {
        state.withLock { state in
            state.users["alice"]?.password = "another"
            state.sessions = []
        }
    }

    /// Chunked uploads that are under way, each with its chunks.
    public var uploads: [String: [String: Int]] {
        state.withLock { $0.uploads.mapValues { $0.chunks.mapValues(\.count) } }
    }

    /// Changes a byte of each chunk that is there.
    public func spoilUploads() {
        state.withLock { state in
            for (key, upload) in state.uploads {
                state.uploads[key]?.chunks = upload.chunks.mapValues { Data([~($0.first ?? 0)]) + $0.dropFirst() }
            }
        }
    }

    /// How often a password was worked out the slow way, which takes a real server 340 ms each time.
    public var slowLogins: Int { state.withLock { $0.slowLogins } }

    /// The app passwords of alice.
    public var appPasswords: [String] { state.withLock { $0.users["alice"]?.appPasswords ?? [] } }

    /// The names of the items in alice's trash, oldest first.
    public var trashedNames: [String] { state.withLock { $0.trees["alice"]?.trash.map(\.name) ?? [] } }

    /// Says yes to all login flows that wait, in the name of alice.
    public func grantLogins() {
        state.withLock { state in
            for token in state.loginFlows.keys { state.loginFlows[token] = .some("alice") }
        }
    }

    /// Stops the server's clock.
    public func stopClock() { standing.withLock { $0 = Int(Date().timeIntervalSince1970) } }

    var now: Int { standing.withLock { $0 } ?? Int(Date().timeIntervalSince1970) }

    /// The origin as the server would write it.
    func reportedOrigin(_ request: NextcloudRequest) -> String {
        state.withLock { $0.settings.reportedOrigin }
            ?? "\(request.head.scheme ?? "http")://\(request.head.authority ?? "")"
    }
}

/// Starts a stand-in for Nextcloud for as long as the test needs it.
///
/// - Parameters:
///   - tls: How it speaks TLS; `nil` for plain HTTP.
///   - change: Changes how it behaves.
///   - body: The work with it.
/// - Returns: The value that `body` returns.
/// - Throws: Any error that `body` throws.
public func withNextcloud<Result>(
    tls: LoopbackTLS? = nil,
    _ change: (inout NextcloudSettings) -> Void = { _ in },
    perform body: (NextcloudServer) async throws -> Result
) async throws -> Result {
    try await withServer(NextcloudServer.start(tls: tls, change), stop: { await $0.stop() }, body)
}
