import NIOHTTP1
import Testing

@testable import FerryCloudLab

@Suite("Checks of exchanges with Dropbox")
struct DropboxCheckTests {
    private static let book = #"{"name":"x","pages":1,"size":1,"bought":"2024-01-01"}"#

    /// A request that may be wrong.
    struct Request: Sendable, CustomTestStringConvertible {
        var route = "shelf/find"
        var method = HTTPMethod.POST
        var endpoint = "api"
        var headers: HTTPHeaders = ["Authorization": "Bearer x", "Content-Type": "application/json"]
        var query: [(name: String, value: String)] = []
        var body = "{}"
        /// A part of the only finding; `nil` for none.
        var finding: String?

        var testDescription: String { finding ?? "\(route) is good" }

        var labRequest: LabRequest {
            LabRequest(
                method: method,
                endpoint: endpoint,
                path: "/2/\(route)",
                query: query,
                headers: headers,
                baseURLs: [:],
                body: CloudContent(body.utf8),
                fault: nil
            )
        }

        static func with(_ finding: String?, _ change: (inout Request) -> Void) -> Request {
            var request = Request()
            request.finding = finding
            change(&request)
            return request
        }

        /// Makes a request whose argument is in a header.
        static func content(
            _ finding: String?,
            _ route: String,
            argument: String?,
            type: String? = nil,
            body: String = ""
        ) -> Request {
            with(finding) { request in
                request.route = route
                request.endpoint = "content"
                request.headers = ["Authorization": "Bearer x"]
                if let argument { request.headers.add(name: "Dropbox-API-Arg", value: argument) }
                if let type { request.headers.add(name: "Content-Type", value: type) }
                request.body = body
            }
        }
    }

    static let requests: [Request] = [
        Request(),
        .with(nil) { $0.headers.replaceOrAdd(name: "Content-Type", value: "application/json; charset=utf-8") },
        .with(nil) { $0.headers.add(name: "Dropbox-API-Path-Root", value: #"{".tag":"root","root":"abc"}"#) },
        .with(nil) { ($0.route, $0.body, $0.headers) = ("shelf/job/check", "", ["Authorization": "Bearer x"]) },
        .with(nil) { ($0.route, $0.body) = ("shelf/job/check", "null") },
        .with(nil) {
            ($0.route, $0.endpoint, $0.body) = ("shelf/wait", "notify", #"{"name":"abc"}"#)
            $0.headers.remove(name: "Authorization")
        },
        .content(nil, "shelf/add", argument: book, type: "application/octet-stream", body: "data"),
        .content(nil, "shelf/fetch", argument: #"{"name":"abc"}"#),
        .content(nil, "shelf/fetch", argument: #"{"name":"abc"}"#, type: "text/plain"),

        .with("There is no operation 'shelf/lose'") { $0.route = "shelf/lose" },
        .with("The method is POST, not GET") { $0.method = .GET },
        .with("The host is the one of 'api', not of 'content'") { $0.endpoint = "content" },
        .with("The parameter 'a' of the query is unknown") { $0.query = [("a", "1")] },
        .with("The token is missing") { $0.headers.remove(name: "Authorization") },
        .with("The token is not behind 'Bearer '") { $0.headers.replaceOrAdd(name: "Authorization", value: "x") },
        .with("The operation takes no token") {
            ($0.route, $0.endpoint, $0.body) = ("shelf/wait", "notify", #"{"name":"abc"}"#)
        },
        .with("Dropbox-API-Path-Root: $ 'away' is no tag") {
            $0.headers.add(name: "Dropbox-API-Path-Root", value: #"{".tag":"away"}"#)
        },
        .with("The text is no JSON (byte 1)") { $0.headers.add(name: "Dropbox-API-Path-Root", value: "{") },
        .with("'text/plain' is not the type of a JSON argument") {
            $0.headers.replaceOrAdd(name: "Content-Type", value: "text/plain")
        },
        .with("The argument belongs into the body") { $0.headers.add(name: "Dropbox-API-Arg", value: "{}") },
        .with("$.limit 101 is not within 1...100") { $0.body = #"{"limit":101}"# },
        .with("The text is no JSON (byte 9)") { $0.body = #"{"limit":"# },
        .with("$.path The root is '', and never '/'") { $0.body = #"{"path":"/"}"# },
        .with("$ Null is expected, not an object") { $0.route = "shelf/job/check" },
        .with("A request without a body has no content type") { ($0.route, $0.body) = ("shelf/job/check", "") },
        .content("The argument is there 0 times", "shelf/fetch", argument: nil),
        .content("A download has no body", "shelf/fetch", argument: #"{"name":"abc"}"#, body: "x"),
        .content(
            "'application/json' is not the type of an operation of the style 'download'",
            "shelf/fetch",
            argument: #"{"name":"abc"}"#,
            type: "application/json"
        ),
        .content("is not the type of an operation of the style 'upload'", "shelf/add", argument: book),
        .content(
            "Dropbox-API-Arg: $.name 'Abc' does not match",
            "shelf/fetch",
            argument: #"{"name":"Abc"}"#
        ),
    ]

    @Test("a request is as described, or the difference is found", arguments: requests)
    func find(inRequest request: Request) throws {
        let check = DropboxCheck(try ShelfDescription.make())
        let found = check.findings(inRequest: request.labRequest, route: request.route)
        guard let finding = request.finding else {
            #expect(found == [])
            return
        }
        #expect(found.count == 1, "\(found)")
        #expect(found.contains { "\($0.path) \($0.sentence)".contains(finding) && !$0.isErratum }, "\(found)")
    }

    @Test("an argument in a header that isn't escaped is an erratum: services take it")
    func escapes() throws {
        let request = Request.content(nil, "shelf/fetch", argument: #"{"name":"abc","town":"Köln"}"#)
        let check = DropboxCheck(try ShelfDescription.make())
        let found = check.findings(inRequest: request.labRequest, route: request.route)
        #expect(found.map(\.isErratum) == [true])
    }

    /// An answer that may be wrong.
    struct Answer: Sendable, CustomTestStringConvertible {
        var route = "shelf/find"
        var response: LabResponse
        var hasRange = false
        /// A part of the only finding; `nil` for none.
        var finding: String?

        var testDescription: String { finding ?? "\(response.status) is good" }

        init(
            _ finding: String?,
            _ status: Int,
            _ body: String,
            type: String = "application/json",
            route: String = "shelf/find",
            hasRange: Bool = false,
            headers: HTTPHeaders = HTTPHeaders()
        ) {
            self.finding = finding
            self.route = route
            self.hasRange = hasRange
            response = LabResponse(status, headers: headers, body: CloudContent(body.utf8))
            response.headers.add(name: "Content-Type", value: type)
        }
    }

    private static let noShelf = #"{"error_summary":"no_shelf/..","error":{".tag":"no_shelf"}}"#

    static let answers: [Answer] = [
        Answer(nil, 200, #"{"things":[],"has_more":false}"#),
        Answer(nil, 200, "null", route: "shelf/wait"),
        Answer(nil, 409, noShelf),
        Answer(nil, 409, #"{"error_summary":"bad_code/..","error":{".tag":"bad_code","bad_code":"abc"}}"#),
        Answer(nil, 401, #"{"error_summary":"expired/..","error":{".tag":"expired"}}"#),
        Answer(
            nil,
            429,
            #"{"error_summary":"too_many/..","error":{"reason":{".tag":"too_many"},"retry_after":1}}"#
        ),
        Answer(nil, 200, "data", route: "shelf/fetch", headers: ["Dropbox-API-Result": book]),
        Answer(
            nil,
            206,
            "d",
            route: "shelf/fetch",
            hasRange: true,
            headers: ["Dropbox-API-Result": book, "Content-Range": "bytes 0-0/4"]
        ),
        Answer(nil, 416, "", route: "shelf/fetch", hasRange: true),

        Answer("The result is not called JSON", 200, #"{"things":[],"has_more":false}"#, type: "text/plain"),
        Answer("$.has_more The field is missing", 200, #"{"things":[]}"#),
        Answer("$.extra The field is unknown", 200, #"{"things":[],"has_more":false,"extra":1}"#),
        Answer("$ The text is no JSON (byte 0)", 200, ""),
        Answer("The status 201 is not described", 201, #"{"things":[],"has_more":false}"#),
        Answer("The status 404 is not described", 404, ""),
        Answer("The request is refused, and the description has nothing against it", 400, "no", type: "text/plain"),
        Answer("$.error 'gone' is no tag", 409, #"{"error_summary":"gone/..","error":{".tag":"gone"}}"#),
        Answer("$.error The field is missing", 409, #"{"error_summary":"/.."}"#),
        Answer("$.error_summary The text is missing", 409, #"{"error":{".tag":"no_shelf"}}"#),
        Answer("does not begin with 'no_shelf/'", 409, #"{"error_summary":"x/..","error":{".tag":"no_shelf"}}"#),
        Answer("The error is not called JSON", 409, noShelf, type: "text/plain"),
        Answer(
            "$.code The field is unknown",
            409,
            #"{"error_summary":"no_shelf/..","error":{".tag":"no_shelf"},"code":1}"#
        ),
        Answer("The operation has no errors of its own", 409, noShelf, route: "shelf/wait"),
        Answer("$.error 'no_shelf' is no tag of auth.AuthError", 401, noShelf),
        Answer("Dropbox-API-Result The result is missing", 200, "data", route: "shelf/fetch"),
        Answer(
            "Dropbox-API-Result: $.name The field is missing",
            200,
            "data",
            route: "shelf/fetch",
            headers: ["Dropbox-API-Result": #"{"pages":1,"size":1,"bought":"2024-01-01"}"#]
        ),
        Answer(
            "A part is sent that nobody has asked for",
            206,
            "d",
            route: "shelf/fetch",
            headers: ["Dropbox-API-Result": book, "Content-Range": "bytes 0-0/4"]
        ),
        Answer(
            "The range of the part is missing",
            206,
            "d",
            route: "shelf/fetch",
            hasRange: true,
            headers: ["Dropbox-API-Result": book]
        ),
    ]

    @Test("an answer is as described, or the difference is found", arguments: answers)
    func find(inAnswer answer: Answer) throws {
        let check = DropboxCheck(try ShelfDescription.make())
        var request = Request()
        request.route = answer.route
        if answer.hasRange { request.headers.add(name: "Range", value: "bytes=0-0") }
        let found = check.findings(
            inAnswer: answer.response,
            to: request.labRequest,
            route: answer.route,
            isRequestGood: true
        )
        guard let finding = answer.finding else {
            #expect(found == [])
            return
        }
        #expect(found.count == 1, "\(found)")
        #expect(found.contains { "\($0.path) \($0.sentence)".contains(finding) }, "\(found)")
    }

    @Test("a request that is wrong may be refused with 400, in words")
    func refusals() throws {
        let check = DropboxCheck(try ShelfDescription.make())
        let request = Request().labRequest
        let text = LabResponse(400, text: "no")
        #expect(check.findings(inAnswer: text, to: request, route: "shelf/find", isRequestGood: false) == [])
        let json = LabResponse(400, json: ["error": "no"])
        #expect(check.findings(inAnswer: json, to: request, route: "shelf/find", isRequestGood: false).count == 1)
    }
}
