import Foundation
import NIOHTTP1
import Synchronization

extension GraphLab: CloudService {
    var name: String { "graph" }

    var hosts: [String: String] {
        [
            "graph.microsoft.com": "api", "login.microsoftonline.com": "login",
            "my.microsoftpersonalcontent.com": "content",
        ]
    }

    var endpoints: [String] { ["api", "login", "content"] }

    var origins: [String: String] { ["content": contentURL.absoluteString] }

    func route(method: HTTPMethod, endpoint: String, path: String) -> String {
        switch endpoint {
        case "login": String(path.split(separator: "/").last ?? "")
        case "content": GraphContentPath(method, path)?.route ?? path
        default: (try? Self.address(method, path))?.route.rawValue ?? path
        }
    }

    private static func address(_ method: HTTPMethod, _ path: String) throws(GraphRefusal) -> GraphAddress {
        guard path.hasPrefix("/v1.0/") else { throw .invalid("The version of the API isn't supported.") }
        return try GraphAddressParser.parse(method, path.dropFirst("/v1.0/".count).drop { $0 == "/" })
    }

    func respond(to request: LabRequest, route: String) async -> LabResponse {
        if request.endpoint == "login" { return loginAnswer(request) }
        let requestID = makeRequestID()
        let clientID = request.headers.first(name: "client-request-id") ?? requestID
        var response: LabResponse
        do {
            if request.endpoint == "content" {
                response = try contentAnswer(request)
            } else {
                response = try apiAnswer(request)
            }
        } catch {
            let refusal = Self.refusal(error)
            response = refusal.response(date: clock.now, requestID: requestID, clientRequestID: clientID)
        }
        response.headers.replaceOrAdd(name: "request-id", value: requestID)
        response.headers.replaceOrAdd(name: "client-request-id", value: clientID)
        response.headers.replaceOrAdd(name: "Date", value: LabDate.httpText(clock.now))
        return response
    }

    /// Returns the refusal that an error is.
    static func refusal(_ error: any Error) -> GraphRefusal {
        switch error {
        case let refusal as GraphRefusal: refusal
        case let error as CloudError: GraphRefusal(error)
        default: GraphRefusal(500, "generalException", "\(error)")
        }
    }

    /// Answers a request to the API.
    ///
    /// - Throws: ``GraphRefusal`` or ``CloudError``.
    func apiAnswer(_ request: LabRequest) throws -> LabResponse {
        let address = try Self.address(request.method, request.path)
        let token = try authorize(request)
        if address.route == .batch { return try batch(request, account: token.account) }
        let options = try GraphOptions(request.query, route: address.route)
        let call = try makeCall(request, address, options, token)
        try call.checkScopes()
        call.makeSpecialFolder()
        return try call.answer()
    }

    func response(for fault: Fault, to request: LabRequest) -> LabResponse? {
        switch fault {
        case .tooManyRequests(let retryAfter, let asDate):
            var refusal = GraphRefusal(429, "activityLimitReached", "The app or user has been throttled.")
            refusal.headers = retryHeaders(retryAfter, asDate: asDate)
            return answer(refusal)
        case .tooManyWrites(let retryAfter):
            var refusal = GraphRefusal(
                503,
                "serviceNotAvailable",
                "The service isn't available.",
                inner: "tooManyWrites"
            )
            refusal.headers = retryHeaders(retryAfter, asDate: false)
            return answer(refusal)
        case .serverError(let status, let retryAfter):
            var refusal = GraphRefusal(
                status,
                status == 503 ? "serviceNotAvailable" : "generalException",
                "An unspecified error has occurred."
            )
            refusal.headers = retryHeaders(retryAfter, asDate: false)
            return answer(refusal)
        case .expireToken:
            expireToken(of: request)
            return nil
        default: return nil
        }
    }

    private func retryHeaders(_ duration: Duration?, asDate: Bool) -> [(name: String, value: String)] {
        guard let duration else { return [] }
        let date = clock.now.addingTimeInterval(duration / .seconds(1))
        return [("Retry-After", asDate ? LabDate.httpText(date) : String(duration.components.seconds))]
    }

    private func answer(_ refusal: GraphRefusal) -> LabResponse {
        let id = makeRequestID()
        var response = refusal.response(date: clock.now, requestID: id, clientRequestID: id)
        response.headers.replaceOrAdd(name: "request-id", value: id)
        response.headers.replaceOrAdd(name: "Date", value: LabDate.httpText(clock.now))
        return response
    }

    func makeRequestID() -> String {
        let digits = makeText(length: 32, from: "0123456789abcdef")
        var parts: [Substring] = []
        var rest = digits[...]
        for count in [8, 4, 4, 4, 12] {
            parts.append(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        return parts.joined(separator: "-")
    }
}

extension GraphCall {
    /// Answers the request.
    func answer() throws -> LabResponse {
        switch address.route {
        case .me: me()
        case .drives: drives()
        case .drive: driveAnswer()
        case .sharedWithMe: try sharedWithMe()
        case .sites: sites()
        case .site: try site()
        case .recycleBin: try recycleBin()
        case .share: try share()
        case .item: try itemAnswer()
        case .update: try update()
        case .delete: try delete()
        case .children: try children()
        case .createFolder: try createFolder()
        case .content: try content()
        case .upload: try upload()
        case .createUploadSession: try createUploadSession()
        case .commitUpload: try commitUpload()
        case .copy: try copy()
        case .delta: try delta()
        case .search: try search()
        case .createLink: try createLink()
        case .permissions: try permissions()
        case .permission: try permission()
        case .deletePermission: try deletePermission()
        case .thumbnails, .thumbnailSet, .thumbnail, .thumbnailContent: try thumbnails()
        case .versions: try versions()
        case .version: try versionAnswer()
        case .versionContent: try versionContent()
        case .restoreVersion: try restoreVersion()
        case .deleteVersion: try deleteVersion()
        case .restore: try restore()
        case .permanentDelete: try permanentDelete()
        case .batch: throw GraphRefusal.invalid("A batch can't be part of a batch.")
        }
    }
}
