import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes

extension GraphConnection {
    /// Requests that a batch has at most.
    ///
    /// See <https://learn.microsoft.com/graph/json-batching>.
    static let mostInBatch = 20

    /// Asks for several things with few requests.
    ///
    /// - Parameter routes: The paths and queries behind the version, percent-encoded, as ``GraphAddress/route(_:_:)``
    ///   makes them.
    /// - Returns: The answers, in the order of the routes; `nil` where the service has refused one.
    /// - Throws: ``OneDriveError``; `URLError.cannotParseResponse`; errors of the connection and the login.
    func answers(to routes: [String]) async throws -> [JSONValue?] {
        var answers: [JSONValue?] = []
        for start in stride(from: 0, to: routes.count, by: Self.mostInBatch) {
            let portion = routes[start..<min(start + Self.mostInBatch, routes.count)]
            let requests = portion.map { GraphBatchRequest(method: .get, route: $0, path: .root, isIdempotent: true) }
            for reply in try await replies(to: requests) {
                // A plain `nil` would be JSON's null.
                answers.append(reply["status"].integer == 200 ? reply["body"] : JSONValue?.none)
            }
        }
        return answers
    }

    /// Sends several requests as one, those again for which the service was too busy.
    ///
    /// - Parameter requests: The requests, ``mostInBatch`` at most; they are handled in any order.
    /// - Returns: For each request, in the same order, the body of the answer, or an ``OneDriveError``. If the answer to
    ///   the batch was lost, its error is that of each.
    /// - Throws: ``OneDriveError`` for a refusal of the batch; errors of the connection and the login for which nothing was
    ///   done; `CancellationError`.
    func outcomes(of requests: [GraphBatchRequest]) async throws -> [Result<JSONValue, any Error>] {
        var outcomes = [Result<JSONValue, any Error>](repeating: .success(.null), count: requests.count)
        var left = Array(requests.indices)
        var attempt = 1
        while !left.isEmpty {
            let replies: [JSONValue]
            do {
                replies = try await self.replies(to: left.map { requests[$0] })
            } catch let error as CancellationError {
                throw error
            } catch let error where attempt > 1 || error.leavesDoubt {
                // The outcomes of earlier tries are known all the same.
                for index in left { outcomes[index] = .failure(error) }
                return outcomes
            }
            var busy: [Int] = []
            var longest: OneDriveError?
            for (index, reply) in zip(left, replies) {
                outcomes[index] = outcome(reply, of: requests[index])
                guard case .failure(let error as OneDriveError) = outcomes[index],
                    error.reason == .busy
                        || (requests[index].isIdempotent && error.reason == .unavailable)
                else { continue }
                busy.append(index)
                if longest == nil || error.retryAfter ?? .zero > longest?.retryAfter ?? .zero { longest = error }
            }
            guard let longest else { break }
            OperationContext.current.overloadListener?.heard()
            // The pause is meant for all requests of the account.
            if let delay = longest.retryAfter { throttle.hold(for: delay) }
            guard attempt < Self.busyAttempts, !retryPolicy.isTooSoon(after: longest) else { break }
            try await wait(after: longest, attempt: attempt)
            left = busy
            attempt += 1
        }
        return outcomes
    }

    /// Sends one batch.
    ///
    /// - Parameter requests: The requests, ``mostInBatch`` at most.
    /// - Returns: The answers in the order of the requests, with their statuses and fields; `null` for a missing one.
    /// - Throws: As ``outcomes(of:)``, and errors after which requests may have been handled.
    private func replies(to requests: [GraphBatchRequest]) async throws -> [JSONValue] {
        let batch = try await call(
            .post,
            "/$batch",
            ["requests": .list(requests.enumerated().map { $0.element.json(id: String($0.offset)) })],
            about: .root,
            isIdempotent: requests.allSatisfy(\.isIdempotent)
        )
        var replies = [JSONValue](repeating: .null, count: requests.count)
        // They come in any order.
        for reply in batch["responses"].items {
            guard let index = reply["id"].string.flatMap({ Int($0) }), replies.indices.contains(index) else { continue }
            replies[index] = reply
        }
        return replies
    }

    private func outcome(_ reply: JSONValue, of request: GraphBatchRequest) -> Result<JSONValue, any Error> {
        guard let status = reply["status"].integer.flatMap({ Int(exactly: $0) }), (100...599).contains(status) else {
            let words = "the service does not say what has become of one of several requests"
            return .failure(URLError.answer(.cannotParseResponse, about: request.path, description: words))
        }
        if (200...299).contains(status) { return .success(reply["body"]) }
        var fields = HTTPFields()
        if case .object(let headers) = reply["headers"] {
            for (name, value) in headers {
                if let name = HTTPField.Name(name), let value = value.string { fields[name] = value }
            }
        }
        let error = OneDriveError(
            status: status,
            path: request.path,
            details: reply["body"]["error"],
            retryAfter: fields.retryAfter(now: now()),
            requestID: fields[.graphRequestID]
        )
        return .failure(error)
    }
}

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
