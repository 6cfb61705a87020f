import Foundation
import NIOHTTP1

extension DropboxLab: CloudService {
    var name: String { "dropbox" }

    var hosts: [String: String] {
        [
            "api.dropboxapi.com": "api", "api.dropbox.com": "api", "content.dropboxapi.com": "content",
            "notify.dropboxapi.com": "notify", "www.dropbox.com": "www",
        ]
    }

    var endpoints: [String] { ["api", "content", "notify", "www"] }

    func route(method: HTTPMethod, endpoint: String, path: String) -> String {
        if path.hasPrefix("/2/") { return String(path.dropFirst(3)) }
        if path.hasPrefix("/1/oauth2/") { return String(path.dropFirst(3)) }
        if path.hasPrefix("/apitl/1/") { return "temporary_link" }
        if path.hasPrefix("/apitul/1/") { return "temporary_upload_link" }
        return String(path.dropFirst())
    }

    func respond(to request: LabRequest, route: String) async -> LabResponse {
        var response = await answer(request, route: route)
        response.headers.replaceOrAdd(name: "X-Dropbox-Request-Id", value: makeText(length: 32).lowercased())
        response.headers.replaceOrAdd(name: "Date", value: LabDate.httpText(clock.now))
        return response
    }

    private func answer(_ request: LabRequest, route: String) async -> LabResponse {
        switch (request.endpoint, route) {
        case ("www", "oauth2/authorize"): return authorizationPage(request)
        case ("api", "oauth2/token"): return tokenAnswer(request)
        case ("content", "temporary_link"): return temporaryDownload(request)
        case ("content", "temporary_upload_link"): return temporaryUpload(request)
        default: break
        }
        do {
            guard request.method == .POST else {
                throw DropboxRefusal.response(LabResponse(405, text: "Only POST is allowed here."))
            }
            if request.endpoint == "notify", route == "files/list_folder/longpoll" {
                return try await longPoll(request)
            }
            guard request.path.hasPrefix("/2/"), let found = Self.routes[route] else {
                throw DropboxRefusal.response(LabResponse(400, text: "Unknown API function: \"\(route)\""))
            }
            guard found.endpoint == request.endpoint else {
                throw DropboxRefusal.malformed("This API function must be called on the host of \"\(found.endpoint)\".")
            }
            let token = try authorize(request, scope: found.scope)
            let arguments = try arguments(of: request, for: found)
            let settings = settings
            let place = try scope(of: request, account: token.account, settings)
            let call = DropboxCall(
                lab: self,
                account: place.account,
                scope: place.scope,
                settings: settings,
                arguments: arguments,
                request: request
            )
            return response(try await found.handle(call), to: request)
        } catch let refusal as DropboxRefusal {
            return refusal.response(route: route)
        } catch let tag as DropboxTag {
            return DropboxRefusal.route(tag).response(route: route)
        } catch {
            return LabResponse(500, text: "\(error)")
        }
    }

    func response(for fault: Fault, to request: LabRequest) -> LabResponse? {
        switch fault {
        case .tooManyRequests(let retryAfter, let asDate):
            var response = DropboxRefusal.tooMany("too_many_requests", retryAfter: retryAfter)
            if asDate, let retryAfter {
                let date = clock.now.addingTimeInterval(retryAfter / .seconds(1))
                response.headers.replaceOrAdd(name: "Retry-After", value: LabDate.httpText(date))
            }
            response.headers.replaceOrAdd(name: "Date", value: LabDate.httpText(clock.now))
            return response
        case .tooManyWrites(let retryAfter):
            return DropboxRefusal.tooMany("too_many_write_operations", retryAfter: retryAfter)
        case .serverError(let status, let retryAfter):
            var response = LabResponse(status, text: "Internal Server Error")
            if let retryAfter {
                response.headers.replaceOrAdd(name: "Retry-After", value: String(retryAfter.components.seconds))
            }
            return response
        case .expireToken:
            expireToken(of: request)
            return nil
        default: return nil
        }
    }
}

// MARK: - The form of a call

extension DropboxLab {
    private func arguments(of request: LabRequest, for route: DropboxRoute) throws -> JSONValue {
        let type = request.headers.first(name: "content-type")
        switch route.style {
        case .rpc:
            return try rpcArguments(of: request, for: route, type: type)
        case .upload:
            guard type == "application/octet-stream" || type == "text/plain; charset=dropbox-cors-hack" else {
                throw badType(type, "\"application/octet-stream\", \"text/plain; charset=dropbox-cors-hack\"")
            }
        case .download:
            guard type.map({ $0.isEmpty || $0.hasPrefix("text/plain") || $0 == "application/octet-stream" }) ?? true
            else {
                throw badType(type, "\"\", \"text/plain\", \"application/octet-stream\"")
            }
            guard request.body.count == 0 else { throw DropboxRefusal.malformed("request body: expected no body") }
        }
        let fields = request.headers["dropbox-api-arg"]
        guard let text = fields.first, fields.count == 1 else {
            throw DropboxRefusal.malformed("Must provide HTTP header \"Dropbox-API-Arg\" or URL parameter \"arg\".")
        }
        let place = "HTTP header \"Dropbox-API-Arg\": "
        let isASCII = text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        guard isASCII || settings.acceptsUTF8Headers else {
            throw DropboxRefusal.malformed(place + "could not decode input as JSON: only ASCII is allowed")
        }
        return try checked(text.utf8, route.shape ?? .empty, place: place)
    }

    private func rpcArguments(of request: LabRequest, for route: DropboxRoute, type: String?) throws -> JSONValue {
        guard let shape = route.shape else {
            guard request.body.count > 0 else {
                guard type == nil || type == "" else {
                    throw DropboxRefusal.malformed("request body: could not decode input as JSON")
                }
                return .null
            }
            guard isJSON(type) else { throw badType(type, "\"application/json\"") }
            guard try parsed(request.body.bytes, place: "request body: ") == .null else {
                throw DropboxRefusal.malformed("request body: expected null, got value")
            }
            return .null
        }
        guard isJSON(type) else {
            throw badType(
                type,
                "\"application/json\", \"application/json; charset=utf-8\", \"text/plain; charset=dropbox-cors-hack\""
            )
        }
        return try checked(request.body.bytes, shape, place: "request body: ")
    }

    private func isJSON(_ type: String?) -> Bool {
        let accepted = ["application/json", "application/json; charset=utf-8", "text/plain; charset=dropbox-cors-hack"]
        return type.map { accepted.contains($0.lowercased()) } ?? false
    }

    private func badType(_ type: String?, _ expected: String) -> DropboxRefusal {
        .malformed("Bad HTTP \"Content-Type\" header: \"\(type ?? "")\".  Expecting one of \(expected).")
    }

    private func parsed(_ bytes: some Sequence<UInt8>, place: String) throws -> JSONValue {
        do {
            return try JSONParser.parse(bytes)
        } catch {
            throw DropboxRefusal.malformed("\(place)could not decode input as JSON (byte \(error.offset))")
        }
    }

    /// Reads an argument and checks its form.
    ///
    /// - Parameters:
    ///   - bytes: The argument as JSON.
    ///   - shape: The form.
    ///   - place: The place of the argument in the request, for the complaint.
    /// - Returns: The argument.
    /// - Throws: A refusal with status 400.
    func checked(_ bytes: some Sequence<UInt8>, _ shape: DropboxShape, place: String) throws -> JSONValue {
        let value = try parsed(bytes, place: place)
        if let complaint = DropboxType.structure(shape).complaint(about: value) {
            throw DropboxRefusal.malformed(place + complaint)
        }
        return value
    }

    private func scope(
        of request: LabRequest,
        account: DropboxAccount,
        _ settings: DropboxSettings
    ) throws -> (scope: DropboxScope, account: DropboxAccount) {
        let home = DropboxScope(
            base: account.homeID,
            namespaces: [CloudTree.rootID, account.homeID],
            hasRoughDisplayPaths: settings.hasRoughDisplayPaths
        )
        guard let text = request.headers.first(name: "dropbox-api-path-root") else { return (home, account) }
        let place = "HTTP header \"Dropbox-API-Path-Root\": "
        let value = try parsed(text.utf8, place: place)
        let type = DropboxType.union(["home": nil, "root": .text(), "namespace_id": .text()])
        if let complaint = type.complaint(about: value) { throw DropboxRefusal.malformed(place + complaint) }
        switch value.tagged {
        case ("root", let id?)?:
            guard id.string == account.rootNamespaceID else {
                throw DropboxRefusal.pathRoot(
                    DropboxTag("invalid_root", fields: [("invalid_root", .object(account.rootInfo))])
                )
            }
            return (home.based(on: CloudTree.rootID), account)
        case ("namespace_id", let id?)?:
            let base = id.string.flatMap { Int($0) }
            if let base, home.namespaces.contains(base) { return (home.based(on: base), account) }
            // Folders of others are used in the storages of their owners.
            guard let base, let shared = sharedScope(base, for: account, home) else {
                throw DropboxRefusal.pathRoot(DropboxTag("no_permission"))
            }
            return shared
        default: return (home, account)
        }
    }

    private func response(_ result: DropboxResult, to request: LabRequest) -> LabResponse {
        switch result {
        case .json(let value): return LabResponse(json: value)
        case .download(let value, let content, let version):
            var response = ContentRange.response(content, range: request.headers.first(name: "range"))
            response.headers.replaceOrAdd(name: "Dropbox-API-Result", value: value.encodedForHeader)
            response.headers.replaceOrAdd(name: "ETag", value: "W/\"\(DropboxPath.text(version: version))\"")
            return response
        }
    }
}
