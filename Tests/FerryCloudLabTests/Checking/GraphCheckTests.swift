import NIOHTTP1
import Testing

@testable import FerryCloudLab

@Suite("Checks of exchanges with Microsoft Graph")
struct GraphCheckTests {
    static let item = #"""
        {"id":"a","name":"b","size":1,"eTag":"e","cTag":"c","createdDateTime":"2024-01-01T00:00:00Z",
        "lastModifiedDateTime":"2024-01-01T00:00:00Z","webUrl":"https://example.com/b",
        "fileSystemInfo":{"createdDateTime":"2024-01-01T00:00:00Z","lastModifiedDateTime":"2024-01-01T00:00:00Z"},
        "parentReference":{"driveId":"d","id":"p"},"file":{"mimeType":"text/plain"}}
        """#

    /// An exchange in which the request or the answer may be wrong.
    struct Exchange: Sendable, CustomTestStringConvertible {
        var method: HTTPMethod
        var path: String
        var query: [(name: String, value: String)] = []
        var headers: HTTPHeaders = ["Authorization": "Bearer x"]
        var endpoint = "api"
        var route = ""
        var body = ""
        var status = 0
        var answer = ""
        var answerHeaders: HTTPHeaders = ["Content-Type": "application/json"]
        /// A part of the only finding; `nil` for none.
        var finding: String?

        var testDescription: String { finding ?? "\(method.rawValue) \(path) is good" }

        init(
            _ finding: String?,
            _ method: HTTPMethod,
            _ path: String,
            _ change: (inout Exchange) -> Void = { _ in }
        ) {
            self.finding = finding
            self.method = method
            self.path = path
            change(&self)
            if !body.isEmpty, endpoint == "api", !headers.contains(name: "content-type") {
                headers.add(name: "Content-Type", value: "application/json")
            }
        }

        /// Makes an answer to a request.
        static func answer(
            _ finding: String?,
            _ method: HTTPMethod,
            _ path: String,
            _ status: Int,
            _ answer: String,
            select: String? = nil
        ) -> Exchange {
            Exchange(finding, method, path) { exchange in
                (exchange.status, exchange.answer) = (status, answer)
                if let select { exchange.query = [("$select", select)] }
            }
        }

        /// Makes an exchange with a pre-authorised address.
        static func content(
            _ finding: String?,
            _ route: String,
            _ method: HTTPMethod,
            range: String? = nil,
            count: Int = 0,
            status: Int = 0,
            answer: String = ""
        ) -> Exchange {
            Exchange(finding, method, "/\(route)/x") { exchange in
                (exchange.endpoint, exchange.route) = ("content", route)
                (exchange.status, exchange.answer) = (status, answer)
                exchange.headers = HTTPHeaders()
                exchange.body = String(repeating: "x", count: count)
                if let range { exchange.headers.add(name: "Content-Range", value: range) }
            }
        }

        var request: LabRequest {
            LabRequest(
                method: method,
                endpoint: endpoint,
                path: endpoint == "api" ? "/v1.0" + path : path,
                query: query,
                headers: headers,
                baseURLs: [:],
                body: CloudContent(body.utf8),
                fault: nil
            )
        }

        var response: LabResponse {
            LabResponse(status, headers: answerHeaders, body: CloudContent(answer.utf8))
        }
    }

    private static let one = "/me/drive/items/a"
    private static let fragment = 320 * 1024

    static let requests: [Exchange] = [
        Exchange(nil, .GET, "/me/drive"),
        Exchange(nil, .GET, "/me/drive/root:/a b.txt") { $0.path = "/me/drive/root:/a%20b.txt" },
        Exchange(nil, .GET, "/drives/d/items/a/children") { $0.query = [("$select", "id,name"), ("$top", "5")] },
        Exchange(nil, .GET, "/drives/d/items/a/children") { $0.query = [("select", "id"), ("$skiptoken", "x")] },
        Exchange(nil, .GET, one) { $0.query = [("$select", "id,@microsoft.graph.downloadUrl,c300x400_crop")] },
        Exchange(nil, .GET, one) { $0.query = [("$expand", "name($select=id,size),id")] },
        Exchange(nil, .POST, one + "/children") {
            $0.body = #"{"name":"a","folder":{},"@microsoft.graph.conflictBehavior":"fail"}"#
        },
        Exchange(nil, .PUT, one + ":/b:/content") {
            $0.query = [("@microsoft.graph.conflictBehavior", "rename")]
            ($0.body, $0.headers) = ("x", ["Authorization": "Bearer x", "Content-Type": "text/plain"])
        },
        Exchange(nil, .POST, one + "/copy") { $0.body = #"{"name":"a"}"# },
        Exchange(nil, .POST, one + "/createUploadSession"),
        Exchange(nil, .POST, one + "/createUploadSession") {
            $0.body = #"{"item":{"name":"a","@microsoft.graph.conflictBehavior":"replace"},"deferCommit":true}"#
        },
        Exchange(nil, .PATCH, one) { $0.body = #"{"name":"a","file":null}"# },
        Exchange(nil, .GET, "/me"),
        .content(nil, "fragment", .PUT, range: "bytes 0-327679/400000", count: fragment),
        .content(nil, "fragment", .PUT, range: "bytes 327680-327689/327690", count: 10),
        .content(nil, "download", .GET),

        Exchange("There is no operation 'POST /v1.0/me/drive'", .POST, "/me/drive"),
        Exchange("There is no operation", .GET, one + "/kids"),
        Exchange("There is no operation", .GET, "/me//drive"),
        Exchange("The token is missing", .GET, one) { $0.headers = HTTPHeaders() },
        Exchange("query: $filter The parameter is unknown", .GET, one) { $0.query = [("$filter", "x")] },
        Exchange("query: $select The parameter is there twice", .GET, one) {
            $0.query = [("$select", "id"), ("$select", "name")]
        },
        Exchange("query: $select 'color' is no value of the list", .GET, one) { $0.query = [("$select", "id,color")] },
        Exchange("query: $select 'cx400' is no value", .GET, one) { $0.query = [("$select", "cx400")] },
        Exchange("query: $top '0' is no count", .GET, one + "/children") { $0.query = [("$top", "0")] },
        Exchange("conflictBehavior 'keep' is no behaviour", .PUT, one + "/content") {
            $0.query = [("@microsoft.graph.conflictBehavior", "keep")]
        },
        Exchange("The request has no body", .GET, one) { $0.body = "{}" },
        Exchange("The body is missing", .POST, one + "/children"),
        Exchange("'text/plain' is not the type of a JSON body", .PATCH, one) {
            ($0.body, $0.headers) = ("{}", ["Authorization": "Bearer x", "Content-Type": "text/plain"])
        },
        Exchange("$ The text is no JSON (byte 1)", .PATCH, one) { $0.body = "{" },
        Exchange("$.nam The property is unknown", .PATCH, one) { $0.body = #"{"nam":"a"}"# },
        Exchange("$.size Expected is a number, not '1'", .PATCH, one) { $0.body = #"{"size":"1"}"# },
        Exchange("$['@odata.x'] The property is unknown", .PATCH, one) { $0.body = #"{"@odata.x":"a"}"# },
        Exchange("$['@microsoft.graph.conflictBehavior'] The property is unknown", .POST, one + "/children") {
            $0.body = #"{"name":"a","folder":{},"@microsoft.graph.conflictBehavior":"keep"}"#
        },
        Exchange("$ One of these is missing: folder, file, remoteItem", .POST, one + "/children") {
            $0.body = #"{"name":"a"}"#
        },
        Exchange("$ One of these is missing: name, parentReference", .POST, one + "/copy") { $0.body = "{}" },
        Exchange("takes no token", .GET, "/download/x") {
            ($0.endpoint, $0.route) = ("content", "download")
        },
        .content("The method 'PUT' is not one of such an address", "monitor", .PUT),
        .content("The range of the fragment is missing", "fragment", .PUT, count: 10),
        .content("'bytes 0-9' has not the form", "fragment", .PUT, range: "bytes 0-9", count: 10),
        .content("'bytes 0-9/5' has not the form", "fragment", .PUT, range: "bytes 0-9/5", count: 10),
        .content("does not fit the 9 bytes", "fragment", .PUT, range: "bytes 0-9/10", count: 9),
        .content("10 bytes are not a multiple of 320 KiB", "fragment", .PUT, range: "bytes 0-9/20", count: 10),
    ]

    @Test("a request is as described, or the difference is found", arguments: requests)
    func find(inRequest exchange: Exchange) throws {
        let check = GraphCheck(try DriveDescription.make())
        let found = check.findings(inRequest: exchange.request, route: exchange.route)
        guard let finding = exchange.finding else {
            #expect(found == [])
            return
        }
        #expect(found.count == 1, "\(found)")
        #expect(found.contains { "\($0.path) \($0.sentence)".contains(finding) && !$0.isErratum }, "\(found)")
    }

    private static func without(_ name: String) -> String {
        guard var object = (try? JSONParser.parse(item.utf8))?.object else { return "" }
        object[name] = nil
        return String(decoding: JSONValue.object(object).encoded, as: UTF8.self)
    }

    private static func with(_ name: String, _ value: JSONValue) -> String {
        guard var object = (try? JSONParser.parse(item.utf8))?.object else { return "" }
        object[name] = value
        return String(decoding: JSONValue.object(object).encoded, as: UTF8.self)
    }

    private static func error(_ code: String) -> String {
        #"{"error":{"code":"\#(code)","message":"m","innerError":{"date":"d","request-id":"r"}}}"#
    }

    private static let session = #"{"expirationDateTime":"2024-01-01T00:00:00Z","nextExpectedRanges":["26-"]}"#

    static let answers: [Exchange] = [
        .answer(nil, .GET, one, 200, item),
        .answer(nil, .GET, one, 200, with("@odata.context", "https://x/$metadata")),
        .answer(nil, .GET, one, 200, #"{"id":"a","name":"b"}"#, select: "id,name"),
        .answer(nil, .GET, one, 200, #"{"id":"a","deleted":{"state":"deleted"}}"#),
        .answer(nil, .GET, one + "/children", 200, #"{"value":[]}"#),
        .answer(nil, .GET, one + "/children", 200, #"{"value":[],"@odata.nextLink":"http://127.0.0.1:1/x"}"#),
        .answer(nil, .GET, one + "/delta", 200, #"{"value":[],"@odata.deltaLink":"http://127.0.0.1:1/x"}"#),
        .answer(nil, .DELETE, one, 204, ""),
        .answer(nil, .GET, one, 404, error("itemNotFound")),
        .answer(nil, .PUT, one + "/content", 507, error("quotaLimitReached")),
        .content(nil, "fragment", .PUT, status: 202, answer: session),
        .content(nil, "fragment", .PUT, status: 201, answer: item),
        .content(nil, "monitor", .GET, status: 202, answer: #"{"status":"inProgress","percentageComplete":50}"#),
        .content(nil, "monitor", .GET, status: 200, answer: #"{"status":"completed","resourceId":"a"}"#),
        .content(nil, "cancelUpload", .DELETE, status: 204),

        .answer("$.id The property is missing, and clients rely on it", .GET, one, 200, without("id")),
        .answer("$.eTag The property is missing", .GET, one, 200, without("eTag")),
        .answer("$.parentReference The property is missing", .GET, one, 200, without("parentReference")),
        .answer("$.cTag The property is missing", .GET, one, 200, without("cTag")),
        .answer("$.size The property is missing", .GET, one, 200, #"{"id":"a"}"#, select: "id,size"),
        .answer("$.file.mimeType The property is missing", .GET, one, 200, with("file", [:])),
        .answer("$.parentReference.driveId The property is missing", .GET, one, 200, with("parentReference", [:])),
        .answer("$ An item is not both file and folder", .GET, one, 200, with("folder", ["childCount": 1])),
        .answer("$ Nothing tells the kind of the item", .GET, one, 200, without("file")),
        .answer("$.size A size is not negative", .GET, one, 200, with("size", -1)),
        .answer("$.size Expected is a number, not '1'", .GET, one, 200, with("size", "1")),
        .answer("$.folder Null is not allowed", .GET, one, 200, with("folder", .null)),
        .answer("$.webUrl '/b' is no absolute address", .GET, one, 200, with("webUrl", "/b")),
        .answer("$.extra The property is unknown", .GET, one, 200, with("extra", 1)),
        .answer("$['@odata.extra'] The property is unknown", .GET, one, 200, with("@odata.extra", 1)),
        .answer(
            "is not 20 bytes in base64",
            .GET,
            one,
            200,
            with("file", ["mimeType": "a", "hashes": ["quickXorHash": "AA=="]])
        ),
        .answer(
            "is not 40 hexadecimal digits",
            .GET,
            one,
            200,
            with("file", ["mimeType": "a", "hashes": ["sha1Hash": "AA"]])
        ),
        .answer("$.value The property is missing", .GET, one + "/children", 200, "{}"),
        .answer(
            "$.value[0].name The property is missing",
            .GET,
            one + "/children",
            200,
            #"{"value":[\#(without("name"))]}"#
        ),
        .answer("'x' is no absolute address", .GET, one + "/children", 200, #"{"value":[],"@odata.nextLink":"x"}"#),
        .answer("has a link to the next one, or to later changes", .GET, one + "/delta", 200, #"{"value":[]}"#),
        .answer(
            "Only changes have a link to later ones",
            .GET,
            one + "/children",
            200,
            #"{"value":[],"@odata.deltaLink":"http://h/x"}"#
        ),
        .answer("The address of the upload is missing", .POST, one + "/createUploadSession", 200, session),
        .answer("The status 201 is not one of this operation", .PATCH, one, 201, item),
        .answer("The status 200 is not one of this operation", .DELETE, one, 200, ""),
        .answer("The answer has no body", .DELETE, one, 204, "x"),
        .answer("$.error The property is missing", .GET, one, 404, "{}"),
        .answer(
            "$.error.innerError The property is missing",
            .GET,
            one,
            404,
            #"{"error":{"code":"itemNotFound","message":"m"}}"#
        ),
        .answer("does not come with the status 409", .GET, one, 409, error("itemNotFound")),
        .answer("The address of the new listing is missing", .GET, one + "/delta", 410, error("resyncRequired")),
        Exchange("The answer is not called JSON", .GET, one) {
            ($0.status, $0.answer, $0.answerHeaders) = (200, item, ["Content-Type": "text/plain"])
        },
        .content(
            "$.nextExpectedRanges[0] '26' is no range",
            "uploadState",
            .GET,
            status: 200,
            answer: session.replacing("26-", with: "26")
        ),
        .content(
            "$.expirationDateTime The property is missing",
            "fragment",
            .PUT,
            status: 202,
            answer: #"{"nextExpectedRanges":[]}"#
        ),
        .content("The status 204 is not one of 'fragment'", "fragment", .PUT, status: 204),
        .content("$.status 'done' is no state of a job", "monitor", .GET, status: 200, answer: #"{"status":"done"}"#),
        .content(
            "$.resourceId The new item is missing",
            "monitor",
            .GET,
            status: 200,
            answer: #"{"status":"completed"}"#
        ),
        .content("$.error The reason is missing", "monitor", .GET, status: 200, answer: #"{"status":"failed"}"#),
        .content(
            "the number 100.5 is no percentage",
            "monitor",
            .GET,
            status: 202,
            answer: #"{"status":"inProgress","percentageComplete":100.5}"#
        ),
    ]

    @Test("an answer is as described, or the difference is found", arguments: answers)
    func find(inAnswer exchange: Exchange) throws {
        let check = GraphCheck(try DriveDescription.make())
        let found = check.findings(
            inAnswer: exchange.response,
            to: exchange.request,
            route: exchange.route,
            isRequestGood: true
        )
        guard let finding = exchange.finding else {
            #expect(found == [])
            return
        }
        #expect(found.count == 1, "\(found)")
        #expect(found.contains { "\($0.path) \($0.sentence)".contains(finding) && !$0.isErratum }, "\(found)")
    }

    @Test("an address instead of the described contents is an erratum, and must be absolute", arguments: [true, false])
    func addresses(isAbsolute: Bool) throws {
        let check = GraphCheck(try DriveDescription.make())
        for (method, path, status) in [(HTTPMethod.GET, "content", 302), (.POST, "copy", 202)] {
            let request = Exchange(nil, method, "\(Self.one)/\(path)").request
            var response = LabResponse(status)
            response.headers.add(name: "Location", value: isAbsolute ? "https://example.com/x" : "/x")
            let found = check.findings(inAnswer: response, to: request, route: "", isRequestGood: true)
            #expect(found.map(\.isErratum) == (isAbsolute ? [true] : [true, false]))
        }
    }

    @Test("the requests and answers of a batch are looked at one by one")
    func batches() throws {
        let check = GraphCheck(try DriveDescription.make())
        let exchange = Exchange(nil, .POST, "/$batch") {
            $0.body = #"""
                {"requests":[{"id":"1","method":"GET","url":"/me/drive/items/a?$select=color"},
                {"id":"1","method":"GET","url":"/me/drive"},{"id":"2","method":"GET","url":"me/drive"},
                {"id":"3","method":"DELETE","url":"/me/drive/items/b","x":1}]}
                """#
        }
        #expect(
            check.findings(inRequest: exchange.request, route: "$batch").map { "\($0.path) \($0.sentence)" } == [
                "$.requests[0] query: $select 'color' is no value of the list.",
                "$.requests[1].id The id is missing, or there twice.",
                "$.requests[2] The request has no method, or no address of its own kind.",
                "$.requests[3].x The property is unknown.",
            ]
        )
        let answer = LabResponse(
            json: [
                "responses": [
                    [
                        "id": "1", "status": 200, "headers": ["Content-Type": "application/json"],
                        "body": ["id": "a", "color": "green"],
                    ], ["id": "3", "status": 200],
                ]
            ]
        )
        #expect(
            check.findings(inAnswer: answer, to: exchange.request, route: "$batch", isRequestGood: false)
                .map { "\($0.path) \($0.sentence)" } == [
                    "$.responses Not each request has one answer.",
                    "$.responses[0] $.color 'green' is no value of the list.",
                    "$.responses[1] The status 200 is not one of this operation.",
                ]
        )
    }
}
