import NIOHTTP1

/// An emulated service: one room of the lab.
protocol CloudService: Sendable {
    /// The name, which is the first component of the paths under which the service is reached, such as `dropbox`.
    var name: String { get }

    /// The hosts of the real service, and the endpoint that each one is.
    var hosts: [String: String] { get }

    /// The endpoints, which are the second component of the paths.
    var endpoints: [String] { get }

    /// The base URLs of the endpoints that don't lie at the origin that the client has used.
    var origins: [String: String] { get }

    /// Returns the operation that a request is for, in the service's words.
    ///
    /// - Parameters:
    ///   - method: The method of the request.
    ///   - endpoint: The endpoint that is addressed.
    ///   - path: The path behind the endpoint's base URL.
    /// - Returns: The operation.
    func route(method: HTTPMethod, endpoint: String, path: String) -> String

    /// Answers a request; no connection is held up by an error, so there is none.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - route: The operation.
    /// - Returns: The answer.
    func respond(to request: LabRequest, route: String) async -> LabResponse

    /// Answers instead of the operation, as a fault asks for.
    ///
    /// - Parameters:
    ///   - fault: The misbehaviour.
    ///   - request: The request.
    /// - Returns: The answer; `nil` if the operation itself shows the fault.
    func response(for fault: Fault, to request: LabRequest) -> LabResponse?
}

extension CloudService {
    var origins: [String: String] { [:] }
}
