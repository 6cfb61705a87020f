import FerryHTTP
import FerryTestServers
import Foundation
import HTTPTypes
import NIOCore
import Synchronization

/// A transport that asks a closure, and remembers what it was asked.
final class ScriptedTransport: HTTPTransport {
    typealias Script = @Sendable (_ request: HTTPRequest, _ number: Int) async throws -> HTTPReply

    struct Sent {
        var request: HTTPRequest
        var body: Data?
        var authorization: String? { request.headerFields[.authorization] }
        var line: String { "\(request.method.rawValue) \(request.absolute)" }
    }

    private let script: Script
    private let takesBodies: Bool
    private let log = Mutex<[Sent]>([])
    private let shutdowns = Mutex(0)

    /// - Parameters:
    ///   - takesBodies: `true` if it reads a request's body before it asks the script.
    ///   - script: Returns its answer; the number of the request counts from 1.
    init(takesBodies: Bool = true, _ script: @escaping Script) {
        self.takesBodies = takesBodies
        self.script = script
    }

    var sent: [Sent] { log.withLock { $0 } }
    var lines: [String] { sent.map(\.line) }
    var isShutDown: Bool { shutdowns.withLock { $0 > 0 } }

    func send(_ request: HTTPRequest, body: HTTPRequestBody?) async throws -> HTTPReply {
        let source = try await body?.makeSource()
        var bytes: Data? = body == nil ? nil : Data()
        if takesBodies, let source {
            while let chunk = try await source() { bytes?.append(contentsOf: chunk.readableBytesView) }
        }
        let entry = Sent(request: request, body: bytes)
        let number = log.withLock { log in
            log.append(entry)
            return log.count
        }
        return try await script(request, number)
    }

    func shutdown() async {
        shutdowns.withLock { $0 += 1 }
    }
}

extension HTTPRequest {
    fileprivate var absolute: String { "\(scheme ?? "")://\(authority ?? "")\(path ?? "")" }
}

/// An answer.
func answer(_ status: Int, _ fields: HTTPFields = HTTPFields(), _ text: String = "") -> HTTPReply {
    HTTPReply(
        head: HTTPResponse(status: .init(code: status), headerFields: fields),
        body: HTTPReplyBody(ByteBuffer(string: text))
    )
}

/// An answer that sends elsewhere.
func redirect(_ status: Int, _ location: String) -> HTTPReply {
    answer(status, [.location: location])
}

/// A clock on which no wait ends by itself.
struct StoppedClock: Clock {
    typealias Instant = ContinuousClock.Instant

    let isWaited = AsyncStream<Void>.makeStream()
    var now: Instant { ContinuousClock.now }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        isWaited.continuation.yield()
        await untilCancelled()
        try Task.checkCancellation()
    }
}

extension HTTPRequest {
    /// A request to a server that is nowhere.
    static func to(_ method: Method, _ path: String, scheme: String = "https") -> HTTPRequest {
        HTTPRequest(method: method, scheme: scheme, authority: "home.example", path: path)
    }

    static func to(_ path: String, scheme: String = "https") -> HTTPRequest {
        .to(.get, path, scheme: scheme)
    }
}

extension HTTPRequest.Method {
    /// A method by its name.
    init(named name: String) {
        self = Self(name) ?? .get
    }
}

extension Mutex where Value: Sendable {
    /// A mutex that several closures share.
    final class Box: Sendable {
        let mutex: Mutex<Value>

        init(_ value: Value) {
            mutex = Mutex(value)
        }
    }
}
