import FerryTestServers
import Foundation
import HTTPTypes
import NIOCore
import Synchronization

/// The service of ``ShelfFileProvider``, in this process.
final class ShelfServer: Sendable {
    /// The token that it takes.
    static let token = "a token of the shelf"

    /// Entries of a page.
    static let pageSize = 2

    /// The end of a job.
    enum JobEnd: Equatable {
        /// It is done, after two questions that find it running.
        case done
        /// It is refused, after as many questions.
        case failed
        /// The service forgets it.
        case forgotten
        /// It runs for ever.
        case never
        /// It runs, and questions about it are refused.
        case refused(HTTPResponse.Status)
    }

    private struct Item {
        var id: String
        var content: Data?
    }

    private struct Job {
        var source: String
        var target: String
        var questions = 0
    }

    private struct State {
        var items: [String: Item] = [:]
        var uploads: [String: Data] = [:]
        var jobs: [String: Job] = [:]
        var refusals: [LoopbackAnswer] = []
        var end = JobEnd.done
        var jobWait = 2
        var count = 0
        var log: [String] = []

        mutating func number() -> String {
            count += 1
            return "\(count)"
        }
    }

    private let state = Mutex(State())

    /// The methods and paths of all requests.
    var log: [String] { state.withLock { $0.log } }

    /// Puts an item into the shelf.
    ///
    /// - Returns: Its identifier.
    @discardableResult
    func plant(_ path: String, _ content: String? = nil) -> String {
        state.withLock { state in
            let id = state.number()
            state.items[path] = Item(id: id, content: content.map { Data($0.utf8) })
            return id
        }
    }

    /// Says what the next requests are answered.
    func refuse(_ answers: LoopbackAnswer...) {
        state.withLock { $0.refusals += answers }
    }

    /// Says what becomes of jobs, and in how many seconds the service wants to be asked a second time.
    func endJobs(_ end: JobEnd, wait: Int = 2) {
        state.withLock { ($0.end, $0.jobWait) = (end, wait) }
    }

    /// Answers a request.
    @Sendable func answer(_ request: LoopbackRequest) throws -> LoopbackAnswer {
        let parts = request.target.split(separator: "?", maxSplits: 1).map(String.init)
        let route = parts[0]
        guard request["Authorization"] == "Bearer \(Self.token)" else { return LoopbackAnswer(.unauthorized) }
        let body = Data(request.body.readableBytesView)
        return try state.withLock { state in
            state.log.append("\(request.head.method.rawValue) \(route)")
            if !state.refusals.isEmpty { return state.refusals.removeFirst() }
            if request.head.method == .put { return Self.take(body, at: parts.last ?? "", route, &state) }
            if route.hasPrefix("/jobs/") { return Self.ask(String(route.dropFirst(6)), &state) }
            let argument = try JSONDecoder().decode([String: String?].self, from: body).compactMapValues { $0 }
            return try Self.call(route, argument, &state)
        }
    }

    /// A refusal, as the service words it.
    static func refusal(_ error: String, wait: Int? = nil) -> LoopbackAnswer {
        let wait = wait.map { #", "wait": \#($0)"# } ?? ""
        return LoopbackAnswer(.conflict, text: #"{"error": "\#(error)"\#(wait)}"#)
    }

    // MARK: Calls

    private static func call(
        _ route: String,
        _ argument: [String: String],
        _ state: inout State
    ) throws -> LoopbackAnswer {
        let path = place(argument["path"] ?? "/", state)
        switch route {
        case "/stat":
            guard path == "/" || state.items[path] != nil else { return refusal("not_found") }
            return try describe(path, state)
        case "/list":
            let paths = state.items.keys.filter { folder(of: $0) == path }.sorted()
            return try page(paths, "items", argument["cursor"]) { entry($0, state) }
        case "/links": return try page((1...5).map { "link \($0)" }, "links", argument["cursor"]) { $0 }
        case "/make":
            guard state.items[path] == nil else { return refusal("exists") }
            state.items[path] = Item(id: state.number())
            return try describe(path, state)
        case "/remove":
            guard state.items.removeValue(forKey: path) != nil else { return refusal("not_found") }
            return LoopbackAnswer(.ok, text: "{}")
        case "/content":
            guard let content = state.items[path]?.content else { return refusal("not_found") }
            var fields = HTTPFields()
            if let name = HTTPField.Name("Shelf-Item") {
                let item = try JSONSerialization.data(withJSONObject: entry(path, state))
                fields[name] = String(decoding: item, as: UTF8.self)
            }
            return LoopbackAnswer(.ok, fields: fields, body: ByteBuffer(bytes: content))
        case "/move":
            let number = state.number()
            state.jobs[number] = Job(
                source: place(argument["from"] ?? "/", state),
                target: place(argument["to"] ?? "/", state)
            )
            return LoopbackAnswer(.accepted, text: #"{"job": "\#(number)"}"#)
        case "/upload":
            let number = state.number()
            state.uploads[number] = Data()
            return LoopbackAnswer(.created, text: #"{"session": "\#(number)"}"#)
        default:
            guard let content = state.uploads.removeValue(forKey: String(route.dropFirst("/upload/".count))) else {
                return refusal("no_such_call")
            }
            guard state.items[path] == nil || argument["overwrite"] != nil else { return refusal("exists") }
            state.items[path] = Item(id: state.number(), content: content)
            return try describe(path, state)
        }
    }

    private static func take(_ part: Data, at query: String, _ route: String, _ state: inout State) -> LoopbackAnswer {
        let session = String(route.dropFirst("/upload/".count))
        guard let content = state.uploads[session], query == "at=\(content.count)" else { return refusal("offset") }
        state.uploads[session] = content + part
        return LoopbackAnswer(.noContent)
    }

    private static func ask(_ number: String, _ state: inout State) -> LoopbackAnswer {
        if case .refused(let status) = state.end { return LoopbackAnswer(status) }
        guard state.end != .forgotten, var job = state.jobs[number] else { return refusal("not_found") }
        job.questions += 1
        state.jobs[number] = job
        if job.questions <= 2 || state.end == .never {
            let fields: HTTPFields = job.questions == 1 ? [.retryAfter: "\(state.jobWait)"] : [:]
            return LoopbackAnswer(.ok, fields: fields, text: #"{"state": "running"}"#)
        }
        guard state.end == .done else {
            return LoopbackAnswer(.ok, text: #"{"state": "failed", "error": "exists"}"#)
        }
        state.items[job.target] = state.items.removeValue(forKey: job.source)
        return LoopbackAnswer(.ok, text: #"{"state": "done"}"#)
    }

    // MARK: Items

    private static func folder(of path: String) -> String {
        let parent = path.split(separator: "/").dropLast().joined(separator: "/")
        return path == "/" ? "" : "/" + parent
    }

    /// Returns the path by names, also of an item that is given by an identifier.
    private static func place(_ text: String, _ state: State) -> String {
        guard text.hasPrefix("id:") else { return text }
        let id = text.dropFirst(3).prefix { $0 != "/" }
        let rest = text.dropFirst(3 + id.count)
        return (state.items.first { $0.value.id == id }?.key ?? "/nowhere") + rest
    }

    private static func entry(_ path: String, _ state: State) -> [String: Any] {
        var entry: [String: Any] = ["path": path, "id": state.items[path]?.id ?? "0"]
        if let content = state.items[path]?.content {
            entry["size"] = content.count
            entry["tag"] = "tag-\(content.count)"
        }
        return entry
    }

    private static func describe(_ path: String, _ state: State) throws -> LoopbackAnswer {
        let json = try JSONSerialization.data(withJSONObject: entry(path, state))
        return LoopbackAnswer(.ok, body: ByteBuffer(bytes: json))
    }

    private static func page(
        _ all: [String],
        _ name: String,
        _ cursor: String?,
        _ value: (String) -> Any
    ) throws -> LoopbackAnswer {
        let start = cursor.flatMap { Int($0) } ?? 0
        let end = min(start + pageSize, all.count)
        var answer: [String: Any] = [name: all[start..<end].map(value)]
        if end < all.count { answer["cursor"] = "\(end)" }
        return LoopbackAnswer(.ok, body: ByteBuffer(bytes: try JSONSerialization.data(withJSONObject: answer)))
    }
}
