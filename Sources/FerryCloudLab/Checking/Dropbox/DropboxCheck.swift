import Foundation
import NIOHTTP1

/// A check of exchanges with Dropbox against Dropbox's API specification.
struct DropboxCheck: DescriptionCheck {
    let service = "dropbox"
    let description: StoneDescription

    /// The content types of a JSON argument.
    static let jsonTypes: Set<String> = [
        "application/json", "application/json; charset=utf-8", "text/plain; charset=dropbox-cors-hack",
    ]

    /// Reads the specification.
    ///
    /// - Parameter folder: The folder with the vendors' descriptions.
    /// - Throws: ``DescriptionError``, or the error of the file system.
    init(folder: URL) throws {
        description = try StoneDescription.read(from: folder.appending(path: "dropbox"))
    }

    init(_ description: StoneDescription) { self.description = description }

    /// A Boolean value that indicates whether a request is for an operation of the specification, and not for pages,
    /// tokens and pre-authorised links, which are documented elsewhere.
    static func isOperation(_ request: LabRequest) -> Bool { request.path.hasPrefix("/2/") }

    func findings(inRequest request: LabRequest, route: String) -> [ValueFinding] {
        if Self.isOperation(request) { return operationFindings(inRequest: request, route: route) }
        switch route {
        case "oauth2/token": return OAuthCheck.findings(inRequest: request)
        case "temporary_link", "temporary_upload_link":
            guard request.headers.contains(name: "authorization") else { return [] }
            return [ValueFinding(path: "Authorization", sentence: "A link that carries its authority takes no token.")]
        case "oauth2/authorize": return []
        default: return [ValueFinding(path: "", sentence: "'\(request.path)' is no path of the service.")]
        }
    }

    func findings(
        inAnswer response: LabResponse,
        to request: LabRequest,
        route: String,
        isRequestGood: Bool
    ) -> [ValueFinding] {
        if Self.isOperation(request) {
            guard let operation = description.routes[route] else { return [] }
            return findings(inAnswer: response, to: request, operation, isRequestGood: isRequestGood)
        }
        return route == "oauth2/token" ? OAuthCheck.findings(inAnswer: response) : []
    }
}
