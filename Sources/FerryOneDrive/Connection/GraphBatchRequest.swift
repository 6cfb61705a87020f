import FerryCore
import FerryHTTP
import HTTPTypes

/// A request that goes to the service together with others.
struct GraphBatchRequest: Sendable {
    /// The method.
    let method: HTTPRequest.Method

    /// The path and query behind the version, percent-encoded, as ``GraphAddress/route(_:_:)`` makes them.
    let route: String

    /// The JSON that is sent with it.
    var body: JSONValue?

    /// The item that it is about.
    let path: ItemPath

    /// A Boolean value that indicates whether a second request after a lost answer does no harm.
    let isIdempotent: Bool

    /// Returns the request as a batch has it.
    ///
    /// - Parameter id: The name of the request in the batch.
    /// - Returns: The JSON.
    func json(id: String) -> JSONValue {
        var members: [String: JSONValue] = ["id": .text(id), "method": .text(method.rawValue), "url": .text(route)]
        if let body {
            members["body"] = body
            members["headers"] = ["Content-Type": "application/json"]
        }
        return .object(members)
    }
}
