import Foundation
import NIOHTTP1

/// An answer to a request that isn't granted, in the words of the service.
struct GraphRefusal: Error {
    let status: Int
    /// The code, such as `itemNotFound`.
    let code: String
    let message: String
    /// A finer code.
    var innerCode: String?
    var headers: [(name: String, value: String)] = []

    init(_ status: Int, _ code: String, _ message: String, inner: String? = nil) {
        self.status = status
        self.code = code
        self.message = message
        innerCode = inner
    }
}

extension GraphRefusal {
    static func invalid(_ message: String, inner: String? = nil) -> GraphRefusal {
        GraphRefusal(400, "invalidRequest", message, inner: inner)
    }

    static let notFound = GraphRefusal(404, "itemNotFound", "The resource could not be found.")
    static let accessDenied = GraphRefusal(
        403,
        "accessDenied",
        "The caller doesn't have permission to perform the action."
    )
    static let nameExists = GraphRefusal(
        409,
        "nameAlreadyExists",
        "An item with the same name already exists under the parent."
    )
    static let modified = GraphRefusal(
        412,
        "resourceModified",
        "The resource has changed since the caller last read it; usually an eTag mismatch."
    )
    static let quotaReached = GraphRefusal(507, "quotaLimitReached", "The user has reached their quota limit.")

    static func unauthenticated(_ message: String) -> GraphRefusal {
        var refusal = GraphRefusal(401, "InvalidAuthenticationToken", message)
        refusal.headers = [("WWW-Authenticate", "Bearer realm=\"\", error=\"invalid_token\"")]
        return refusal
    }

    /// Returns the refusal for one of the storage.
    init(_ error: CloudError) {
        self =
            switch error {
            case .notFound: .notFound
            case .notFile: .invalid("The item isn't a file.")
            case .notFolder: .invalid("The item isn't a folder.")
            case .fileConflict, .folderConflict, .fileAncestor: .nameExists
            case .insufficientSpace: .quotaReached
            case .intoItself: .invalid("The item can't be moved or copied into itself.")
            case .disallowedName: .invalid("The provided name isn't valid.", inner: "invalidName")
            }
    }

    /// The members of the error, without those that name the request.
    func fields(date: Date, requestID: String, clientRequestID: String) -> JSONObject {
        var inner = JSONObject()
        if let innerCode { inner["code"] = .string(innerCode) }
        inner["date"] = .string(GraphTimestamp.text(date, isPrecise: false).replacing("Z", with: ""))
        inner["request-id"] = .string(requestID)
        inner["client-request-id"] = .string(clientRequestID)
        return JSONObject([
            ("code", .string(code)), ("message", .string(message)), ("innerError", .object(inner)),
        ])
    }

    /// Returns the refusal as an answer.
    func response(date: Date, requestID: String, clientRequestID: String) -> LabResponse {
        let fields = fields(date: date, requestID: requestID, clientRequestID: clientRequestID)
        var response = LabResponse(status, json: ["error": .object(fields)])
        for (name, value) in headers { response.headers.add(name: name, value: value) }
        response.refusal = innerCode.map { "\(code)/\($0)" } ?? code
        return response
    }
}
