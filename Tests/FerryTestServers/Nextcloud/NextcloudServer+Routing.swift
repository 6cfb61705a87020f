import Foundation
import HTTPTypes
import NIOCore
import Synchronization

extension NextcloudServer {
    func answer(_ request: NextcloudRequest) async throws -> LoopbackAnswer {
        let fault = state.withLock { $0.takeFault(method: request.method, path: request.path) }
        switch fault {
        case .answer(let status, let exception, let message)?:
            _ = try await request.connection.collect()
            return NextcloudProblem(status, exception, message).answer
        case .losesAnswer?:
            _ = try await answer(request, fault: nil)
            throw CancellationError()
        case .regrets(let status)?:
            _ = try await answer(request, fault: nil)
            return NextcloudProblem(status, "Sabre\\DAV\\Exception\\ServiceUnavailable", "database is locked").answer
        default: return compressed(try await answer(request, fault: fault), for: request)
        }
    }

    private func answer(_ request: NextcloudRequest, fault: NextcloudFault.Effect?) async throws -> LoopbackAnswer {
        do {
            if let refusal = maintenance(request) { return refusal }
            if request.names == ["status.php"] { return statusPage() }
            var request = request
            let login = login(request)
            if let refusal = login.refusal, !isPublic(request) { return refusal }
            request.user = login.user ?? ""
            var answer = try await route(request, fault: fault)
            for cookie in login.cookies {
                answer.fields.append(HTTPField(name: .setCookie, value: cookie))
            }
            if let date = HTTPField.Name("date") { answer.fields[date] = httpDate(now) }
            return answer
        } catch let problem as NextcloudProblem {
            return problem.answer
        }
    }

    private func isPublic(_ request: NextcloudRequest) -> Bool {
        switch request.names.first {
        case "public.php", "s": true
        case "index.php": request.names.dropFirst().first == "login" || request.names.contains("theming")
        case "login": true
        case "ocs": request.names.suffix(2) == ["cloud", "capabilities"] && request["authorization"] == nil
        default: false
        }
    }

    private func route(_ request: NextcloudRequest, fault: NextcloudFault.Effect?) async throws -> LoopbackAnswer {
        switch request.names.first {
        case "remote.php": return try await dav(request, fault: fault)
        case "ocs": return try await ocs(request)
        case "index.php", "login": return try await web(request)
        default: return .answer(404)
        }
    }

    private func dav(_ request: NextcloudRequest, fault: NextcloudFault.Effect?) async throws -> LoopbackAnswer {
        let names = request.names
        if request.method == "OPTIONS" { return options(request) }
        if names.starts(with: ["remote.php", "webdav"]) {
            return try await files(request, Array(names.dropFirst(2)), prefix: "/remote.php/webdav", fault: fault)
        }
        guard names.count > 1, names[1] == "dav" else { throw NextcloudProblem.notFound(names) }
        if names.count == 2, request.method == "SEARCH" { return try await search(request) }
        guard names.count > 2 else { throw NextcloudProblem(501, "Sabre\\DAV\\Exception\\NotImplemented", "no") }
        if names[2] == "bulk" { return try await bulk(request, fault: fault) }
        guard names.count > 3 else { throw NextcloudProblem.notFound(names) }
        let owner = try owner(names[3], request)
        let rest = Array(names.dropFirst(4))
        switch names[2] {
        case "files":
            guard owner == request.user else { return try stranger(request, rest) }
            // The user stays as the client wrote it.
            return try await files(request, rest, prefix: "/remote.php/dav/files/\(names[3].hrefEscaped)", fault: fault)
        case "uploads": return try await chunkedUpload(request, rest, fault: fault)
        case "trashbin": return try await trashbin(request, rest)
        case "versions": return try await versions(request, rest)
        default: throw NextcloudProblem.notFound(names)
        }
    }

    /// The user that a path names: by identifier in any case, or by the mail address.
    private func owner(_ name: String, _ request: NextcloudRequest) throws -> String {
        let name = name.lowercased()
        let owner = state.withLock { state in state.users.values.first { $0.id == name || $0.mail == name }?.id }
        guard let owner else { throw NextcloudProblem.notFound(request.names) }
        return owner
    }

    /// Other people's files: an empty folder, with nothing in it.
    private func stranger(_ request: NextcloudRequest, _ rest: [String]) throws -> LoopbackAnswer {
        guard rest.isEmpty, request.method == "PROPFIND" else { throw NextcloudProblem.notFound(rest) }
        return .multistatus(
            "<d:response><d:href>\(request.path.hrefEscaped)/</d:href><d:propstat><d:prop><d:resourcetype>"
                + "<d:collection/></d:resourcetype></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>"
        )
    }

    private func options(_ request: NextcloudRequest) -> LoopbackAnswer {
        let searches = request.names == ["remote.php", "dav"]
        var fields = [
            "dav": "1, 3, extended-mkcol, access-control, calendarserver-principal-property-search, "
                + "nextcloud-checksum-update, nc-calendar-search, nc-enable-birthday-calendar, nc-paginate",
            "ms-author-via": "DAV", "accept-ranges": "bytes",
            "allow": "OPTIONS, GET, HEAD, DELETE, PROPFIND, PUT, PROPPATCH, COPY, MOVE, REPORT, PATCH"
                + (searches ? ", SEARCH" : ""),
        ]
        if searches { fields["dasl"] = "<DAV:basicsearch>" }
        return .answer(200, fields)
    }

    func httpDate(_ seconds: Int) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "UTC")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.string(from: Date(timeIntervalSince1970: TimeInterval(seconds)))
    }
}
