/// An operation in an OpenAPI document.
struct OpenAPIOperation: Sendable {
    /// A body of a request or an answer.
    struct Body: Sendable {
        var contentType: String
        var schema: OpenAPISchema
    }

    /// The method in capitals.
    var method: String
    /// The parameters of the query, by name.
    var query: [String: OpenAPISchema] = [:]
    /// The body of the request; `nil` for none.
    var body: Body?
    var isBodyRequired = false
    /// The bodies of answers by status: `200`, `2XX`, `default`; `nil` for none.
    var answers: [String: Body?] = [:]

    /// Returns the body that an answer has; `nil` if the status isn't described, a body of `nil` if it has none.
    func answer(status: Int) -> Body?? {
        answers[String(status)] ?? answers["\(status / 100)XX"] ?? answers["default"]
    }
}
