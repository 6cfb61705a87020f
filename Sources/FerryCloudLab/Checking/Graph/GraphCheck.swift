import Foundation
import NIOHTTP1

/// A check of exchanges with Microsoft Graph against Microsoft's OpenAPI and metadata documents.
struct GraphCheck: DescriptionCheck {
    /// The prefix of the names of actions and functions, which may be left out.
    static let namespace = "microsoft.graph."

    let service = "graph"
    let document: OpenAPIDocument

    /// Reads the documents.
    ///
    /// - Parameter folder: The folder with the vendors' descriptions.
    /// - Throws: ``DescriptionError``, or the error of the file system.
    init(folder: URL) throws {
        let folder = folder.appending(path: "microsoft-graph")
        let metadata = "drive-subset.csdl.xml"
        let schemas = try CSDLDocument.schemas(Data(contentsOf: folder.appending(path: metadata)), file: metadata)
        let api = "drives-openapi.json"
        document = try OpenAPIDocument(
            Data(contentsOf: folder.appending(path: api)),
            file: api,
            supplement: schemas
        )
    }

    init(_ document: OpenAPIDocument) { self.document = document }

    /// Returns the operation that a request to the API is for.
    func operation(_ request: LabRequest) -> (template: OpenAPITemplate, operation: OpenAPIOperation)? {
        guard let path = DescribedGraphPath(request.path) else { return nil }
        let method = request.method == .HEAD ? "GET" : request.method.rawValue
        if let found = document.operation(method: method, path: path.segments, namespace: Self.namespace) {
            return found
        }
        return GraphErrata.operations.first { $0.operation.method == method && $0.template.matches(path.segments) }
    }

    func findings(inRequest request: LabRequest, route: String) -> [ValueFinding] {
        switch request.endpoint {
        case "login": return route == "token" ? OAuthCheck.findings(inRequest: request) : []
        case "content": return contentFindings(inRequest: request, route: route)
        default: break
        }
        guard let found = operation(request) else {
            let sentence = "There is no operation '\(request.method.rawValue) \(request.path)'."
            return [ValueFinding(path: "", sentence: sentence)]
        }
        var findings: [ValueFinding] = []
        if request.headers.first(name: "authorization")?.hasPrefix("Bearer ") != true {
            findings.append(ValueFinding(path: "Authorization", sentence: "The token is missing."))
        }
        if found.template.text == "/$batch" { return findings + batchFindings(inRequest: request) }
        checkQuery(request, found.operation, &findings)
        checkBody(request, found.template, found.operation, &findings)
        return findings
    }

    func findings(
        inAnswer response: LabResponse,
        to request: LabRequest,
        route: String,
        isRequestGood: Bool
    ) -> [ValueFinding] {
        switch request.endpoint {
        case "login": return route == "token" ? OAuthCheck.findings(inAnswer: response) : []
        case "content": return contentFindings(inAnswer: response, to: request, route: route)
        default: break
        }
        guard let found = operation(request) else { return response.status >= 400 ? errorFindings(response) : [] }
        if found.template.text == "/$batch", response.status == 200 {
            return batchFindings(inAnswer: response, to: request)
        }
        return answerFindings(response, to: request, found.template, found.operation)
    }
}
