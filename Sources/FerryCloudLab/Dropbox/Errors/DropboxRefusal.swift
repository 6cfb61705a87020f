import NIOHTTP1

/// An answer to a request that isn't granted.
enum DropboxRefusal: Error {
    /// A call that doesn't have the form of the description: 400 and plain text.
    case malformed(String)
    /// An error of the route: 409.
    case route(DropboxTag)
    /// A token that isn't accepted: 401.
    case unauthorized(DropboxTag)
    /// A path root that isn't accepted: 422.
    case pathRoot(DropboxTag)
    /// An answer made elsewhere.
    case response(LabResponse)
}

extension DropboxRefusal {
    /// Returns the refusal as an answer.
    ///
    /// - Parameter route: The operation that was called.
    /// - Returns: The answer.
    func response(route: String) -> LabResponse {
        switch self {
        case .malformed(let text): LabResponse(400, text: "Error in call to API function \"\(route)\": \(text)")
        case .route(let tag): tag.response(409)
        case .unauthorized(let tag): tag.response(401)
        case .pathRoot(let tag): tag.response(422)
        case .response(let response): response
        }
    }

    /// Makes the answer to too many requests.
    static func tooMany(_ reason: String, retryAfter: Duration?) -> LabResponse {
        let seconds = retryAfter.map { $0.components.seconds }
        var response = LabResponse(
            429,
            json: [
                "error_summary": .string("\(reason)/.."),
                "error": [
                    "reason": [".tag": .string(reason)], "retry_after": .integer(seconds ?? 1),
                ],
            ]
        )
        if let seconds { response.headers.replaceOrAdd(name: "Retry-After", value: String(seconds)) }
        response.refusal = reason
        return response
    }
}

extension DropboxTag {
    fileprivate func response(_ status: Int) -> LabResponse {
        let summary = summary.joined(separator: "/") + "/.."
        var response = LabResponse(status, json: ["error_summary": .string(summary), "error": json])
        response.refusal = summary
        return response
    }
}
