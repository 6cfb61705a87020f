import FerryHTTP
import FerryTestServers
import FerryWebDAV
import Foundation
import HTTPTypes
import NIOCore
import Synchronization

/// The work of each method, as RFC 4918 defines it.
extension DAVServer {
    func perform(_ request: Request) -> LoopbackAnswer {
        state.withLock { state in
            if let refusal = Self.lockRefusal(request, state) { return refusal }
            switch request.method {
            case "OPTIONS": return options
            case "PROPFIND": return Self.propfind(request, state)
            case "GET", "HEAD": return Self.get(request, state)
            case "PUT": return Self.put(request, &state)
            case "MKCOL": return Self.makeFolder(request, &state)
            case "DELETE": return Self.delete(request, &state)
            case "COPY", "MOVE": return Self.transfer(request, &state)
            case "PROPPATCH":
                Self.setDate(request, &state)
                return .multistatus(MultistatusText.response(request.head.path ?? "/", "<d:getlastmodified/>"))
            case "LOCK": return Self.lock(request, &state)
            case "UNLOCK":
                state.locks.removeAll { "<\($0.token)>" == request["Lock-Token"] }
                return LoopbackAnswer(.noContent)
            default: return LoopbackAnswer(.methodNotAllowed)
            }
        }
    }

    /// The answer to `OPTIONS`, which tells the kinds apart.
    private var options: LoopbackAnswer {
        var fields = HTTPFields()
        let (classes, software, methods) =
            switch kind {
            case .apache: ("1,2,<http://apache.org/dav/propset/fs/1>", "Apache/2.4.71 (Debian)", "OPTIONS,LOCK")
            case .nginx: ("2", "nginx/1.22.1", "OPTIONS,LOCK")
            case .lighttpd: ("1,2,3", "lighttpd/1.4.69", "OPTIONS,LOCK")
            case .wsgidav: ("1,2", "WsgiDAV/4.4.0 Cheroot/11.1.2", "OPTIONS,LOCK")
            case .golang: ("1, 2", "", "OPTIONS, LOCK, DELETE, PROPPATCH, COPY, MOVE, UNLOCK, PROPFIND")
            case .nextcloud: ("1, 3, nc-paginate", "Apache", "OPTIONS")
            // These two are known by their addresses.
            case .yandex, .fastmail, .unknown: ("1, 2", "Anybody/1.0", "OPTIONS,LOCK")
            }
        fields[.dav] = classes
        fields[.allow] = methods
        if !software.isEmpty { fields[.server] = software }
        return LoopbackAnswer(.ok, fields: fields)
    }

    // MARK: Reading

    private static func propfind(_ request: Request, _ state: State) -> LoopbackAnswer {
        guard let item = state.items[request.path] else { return LoopbackAnswer(.notFound) }
        var entries = [entry(request.path, item, state)]
        if request["Depth"] == "1", item == nil {
            for (path, child) in state.items.sorted(by: { $0.key < $1.key })
            where path != "/" && parent(path) == request.path {
                entries.append(entry(path, child, state))
            }
        }
        return LoopbackAnswer(
            HTTPResponse.Status(code: 207),
            text: MultistatusText.multistatus(entries.joined())
        )
    }

    private static func entry(_ path: String, _ item: [UInt8]?, _ state: State) -> String {
        let locks = state.locks.filter { covers($0, path) }.map { lock in
            """
            <d:activelock><d:lockscope><d:exclusive/></d:lockscope><d:depth>\(lock.isDeep ? "infinity" : "0")</d:depth>\
            <d:owner>\(lock.owner)</d:owner><d:timeout>Second-600</d:timeout>\
            <d:locktoken><d:href>\(lock.token)</d:href></d:locktoken>\
            <d:lockroot><d:href>\(href(lock.path, isFolder: false))</d:href></d:lockroot></d:activelock>
            """
        }
        let facts =
            item.map { "<d:resourcetype/><d:getcontentlength>\($0.count)</d:getcontentlength>" }
            ?? MultistatusText.isFolder
        let discovery = "<d:lockdiscovery>\(locks.joined())</d:lockdiscovery>"
        return MultistatusText.response(href(path, isFolder: item == nil), facts + discovery)
    }

    private static func href(_ path: String, isFolder: Bool) -> String {
        let encoded = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path
        return path == "/" ? "/dav/" : "/dav\(encoded)\(isFolder ? "/" : "")"
    }

    private static func get(_ request: Request, _ state: State) -> LoopbackAnswer {
        guard let item = state.items[request.path], let bytes = item else { return LoopbackAnswer(.notFound) }
        var fields = HTTPFields()
        fields[.lastModified] = state.dates[request.path].flatMap(httpDate)
        return LoopbackAnswer(.ok, fields: fields, body: .init(bytes: bytes))
    }

    // MARK: Dates

    private static func httpDate(_ seconds: Int) -> String? {
        HTTPDate.format(Date(timeIntervalSince1970: TimeInterval(seconds)))
    }

    private static func setDate(_ request: Request, _ state: inout State) {
        let body = String(decoding: request.body, as: UTF8.self)
        let name: String? =
            switch state.dateSetting {
            case .lastModified: "getlastmodified"
            case .win32: "Win32LastModifiedTime"
            case .seconds: "lastmodified"
            case .field, .impossible: nil
            }
        guard let name, let start = body.range(of: ":\(name)>"),
            let end = body.range(of: "</", range: start.upperBound..<body.endIndex)
        else { return }
        let text = String(body[start.upperBound..<end.lowerBound])
        state.dates[request.path] =
            state.dateSetting == .seconds ? Int(text) : HTTPDate.parse(text).map { Int($0.timeIntervalSince1970) }
    }

    // MARK: Writing

    private static func parent(_ path: String) -> String {
        let parent = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
        return parent.isEmpty ? "/" : String(parent)
    }

    private static func hasParent(_ path: String, _ state: State) -> Bool {
        state.items[parent(path)] == .some(nil)
    }

    private static func put(_ request: Request, _ state: inout State) -> LoopbackAnswer {
        let old = state.items[request.path]
        if old == .some(nil) { return LoopbackAnswer(.methodNotAllowed) }
        guard hasParent(request.path, state) else { return LoopbackAnswer(.conflict) }
        if old != nil, request["If-None-Match"] == "*" { return LoopbackAnswer(.preconditionFailed) }
        state.items[request.path] = .some(request.body)
        state.dates[request.path] = state.dateSetting == .field ? request["X-OC-MTime"].flatMap { Int($0) } : nil
        return LoopbackAnswer(old == nil ? .created : .noContent)
    }

    private static func makeFolder(_ request: Request, _ state: inout State) -> LoopbackAnswer {
        guard state.items[request.path] == nil else { return LoopbackAnswer(.methodNotAllowed) }
        guard hasParent(request.path, state) else { return LoopbackAnswer(.conflict) }
        state.items[request.path] = .some(nil)
        return LoopbackAnswer(.created)
    }

    private static func delete(_ request: Request, _ state: inout State) -> LoopbackAnswer {
        guard state.items[request.path] != nil else { return LoopbackAnswer(.notFound) }
        let isGone = { (path: String) in path == request.path || path.hasPrefix(request.path + "/") }
        state.items = state.items.filter { !isGone($0.key) }
        state.locks.removeAll { isGone($0.path) }
        return LoopbackAnswer(.noContent)
    }

    private static func transfer(_ request: Request, _ state: inout State) -> LoopbackAnswer {
        guard let destination = request["Destination"].flatMap({ URL(string: $0) }) else {
            return LoopbackAnswer(.badRequest)
        }
        let (source, target) = (request.path, path(destination.path(percentEncoded: true)))
        guard state.items[source] != nil else { return LoopbackAnswer(.notFound) }
        guard hasParent(target, state) else { return LoopbackAnswer(.conflict) }
        let isReplacing = state.items[target] != nil
        if isReplacing, request["Overwrite"] == "F" { return LoopbackAnswer(.preconditionFailed) }
        state.items = state.items.filter { $0.key != target && !$0.key.hasPrefix(target + "/") }
        for (path, item) in state.items where path == source || path.hasPrefix(source + "/") {
            let place = target + path.dropFirst(source.count)
            state.items[place] = item
            state.dates[place] = state.dates[path]
            if request.method == "MOVE" { state.items[path] = nil }
        }
        return LoopbackAnswer(isReplacing ? .noContent : .created)
    }

    // MARK: Locks

    private static func covers(_ lock: Lock, _ path: String) -> Bool {
        lock.path == path || lock.isDeep && path.hasPrefix(lock.path == "/" ? "/" : lock.path + "/")
    }

    /// Somebody else's lock, as somebody else would take it.
    func lock(_ path: String, owner: String, isDeep: Bool = false) {
        state.withLock { state in
            state.tokens += 1
            let token = "urn:test:\(state.tokens)"
            state.locks.append(Lock(path: path, token: token, owner: owner, isDeep: isDeep))
        }
    }

    private static func lock(_ request: Request, _ state: inout State) -> LoopbackAnswer {
        state.tokens += 1
        let lock = Lock(
            path: request.path,
            token: "urn:test:\(state.tokens)",
            owner: "us",
            isDeep: request["Depth"] == "infinity"
        )
        state.locks.append(lock)
        let text = """
            <d:prop xmlns:d="DAV:"><d:lockdiscovery><d:activelock><d:lockscope><d:exclusive/></d:lockscope>\
            <d:depth>\(lock.isDeep ? "infinity" : "0")</d:depth><d:timeout>Second-600</d:timeout>\
            <d:locktoken><d:href>\(lock.token)</d:href></d:locktoken></d:activelock></d:lockdiscovery></d:prop>
            """
        return LoopbackAnswer(.ok, fields: [.lockToken: "<\(lock.token)>"], text: text)
    }

    /// A client that changes what is locked must show the lock.
    private static func lockRefusal(_ request: Request, _ state: State) -> LoopbackAnswer? {
        guard !state.locks.isEmpty else { return nil }
        var changed: [String] = []
        switch request.method {
        case "PUT", "DELETE", "MOVE", "MKCOL", "PROPPATCH", "LOCK": changed.append(request.path)
        default: break
        }
        if let destination = request["Destination"].flatMap({ URL(string: $0) }) {
            changed.append(path(destination.path(percentEncoded: true)))
        }
        let shown = request["If"] ?? ""
        let isRefused = changed.contains { path in
            state.locks.contains { covers($0, path) && !shown.contains("<\($0.token)>") }
        }
        return isRefused ? LoopbackAnswer(HTTPResponse.Status(code: 423)) : nil
    }
}
