import Foundation
import HTTPTypes
import NIOCore

/// The methods, as RFC 4918 has them.
extension OddWebDAVServer {
    static func perform(_ request: Request, _ state: inout State) -> LoopbackAnswer {
        switch request.method {
        case "OPTIONS": options(state.oddities)
        case "PROPFIND": list(request, state)
        case "GET", "HEAD": read(request, state)
        case "PUT": write(request, &state)
        case "MKCOL": makeFolder(request, &state)
        case "DELETE": delete(request, &state)
        case "MOVE", "COPY": transfer(request, &state)
        case "PROPPATCH": LoopbackAnswer(.forbidden)
        default: LoopbackAnswer(.methodNotAllowed)
        }
    }

    private static func options(_ oddities: WebDAVOddities) -> LoopbackAnswer {
        if let status = oddities.optionsStatus { return LoopbackAnswer(.init(code: status)) }
        var fields = HTTPFields()
        if let name = HTTPField.Name("DAV") { fields[name] = "1" }
        fields[.allow] = "OPTIONS,PROPFIND,GET,HEAD,PUT,DELETE,MKCOL,MOVE,COPY"
        return LoopbackAnswer(.ok, fields: fields)
    }

    private static func hasParent(_ path: String, _ state: State) -> Bool {
        guard let folder = state.items[key(parent(path), state.oddities)] else { return false }
        return folder.bytes == nil
    }

    private static func write(_ request: Request, _ state: inout State) -> LoopbackAnswer {
        let old = state.items[key(request.path, state.oddities)]
        if let old, old.bytes == nil { return LoopbackAnswer(.methodNotAllowed) }
        guard hasParent(request.path, state) else { return LoopbackAnswer(.conflict) }
        var fields = HTTPFields()
        var date: Int?
        if let range = state.oddities.keptDates, let wanted = request["X-OC-MTime"].flatMap({ Int($0) }),
            range.contains(wanted)
        {
            date = wanted
            if let name = HTTPField.Name("X-OC-MTime") { fields[name] = "accepted" }
        }
        put(request.path, request.body, date: date, &state)
        return LoopbackAnswer(old == nil ? .created : .noContent, fields: fields)
    }

    private static func makeFolder(_ request: Request, _ state: inout State) -> LoopbackAnswer {
        guard state.items[key(request.path, state.oddities)] == nil else { return LoopbackAnswer(.methodNotAllowed) }
        guard hasParent(request.path, state) else { return LoopbackAnswer(.conflict) }
        put(request.path, nil, &state)
        return LoopbackAnswer(.created)
    }

    private static func isBelow(_ key: String, _ top: String) -> Bool { key == top || key.hasPrefix(top + "/") }

    private static func delete(_ request: Request, _ state: inout State) -> LoopbackAnswer {
        let key = key(request.path, state.oddities)
        guard key != "/", state.items[key] != nil else { return LoopbackAnswer(.notFound) }
        state.items = state.items.filter { !isBelow($0.key, key) }
        return LoopbackAnswer(.noContent)
    }

    /// As RFC 4918 §9.9.3 has it: with `Overwrite: T` what is at the target is removed first, be it the source itself.
    private static func transfer(_ request: Request, _ state: inout State) -> LoopbackAnswer {
        if let status = state.oddities.moveStatus { return LoopbackAnswer(.init(code: status), text: "not here") }
        guard let destination = request["Destination"].flatMap({ URL(string: $0) }) else {
            return LoopbackAnswer(.badRequest)
        }
        let place = path(destination.path(percentEncoded: true))
        let (source, target) = (key(request.path, state.oddities), key(place, state.oddities))
        guard state.items[source] != nil else { return LoopbackAnswer(.notFound) }
        guard hasParent(place, state) else { return LoopbackAnswer(.conflict) }
        let isReplacing = state.items[target] != nil
        if isReplacing {
            if request["Overwrite"] == "F" { return LoopbackAnswer(.preconditionFailed) }
            state.items = state.items.filter { !isBelow($0.key, target) }
        }
        for (key, item) in state.items where isBelow(key, source) {
            var moved = item
            if key == source { moved.name = name(place) }
            if request.method == "MOVE" { state.items[key] = nil }
            state.items[target + key.dropFirst(source.count)] = moved
        }
        return LoopbackAnswer(isReplacing ? .noContent : .created)
    }
}
