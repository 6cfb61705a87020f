import NIOHTTP1

/// An answer to a request.
struct LabResponse: Sendable {
    var status: Int
    var headers = HTTPHeaders()
    var body = CloudContent()
    /// The words of a refusal, for the journal.
    var refusal: String?

    init(_ status: Int, headers: HTTPHeaders = HTTPHeaders(), body: CloudContent = CloudContent()) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Makes an answer with a JSON body.
    init(_ status: Int = 200, json: JSONValue) {
        self.init(status, headers: ["Content-Type": "application/json"], body: CloudContent(json.encoded))
    }

    /// Makes an answer with a body of plain text.
    init(_ status: Int, text: String) {
        self.init(
            status,
            headers: ["Content-Type": "text/plain; charset=utf-8"],
            body: CloudContent(text.utf8)
        )
        if status >= 400 { refusal = text }
    }
}
