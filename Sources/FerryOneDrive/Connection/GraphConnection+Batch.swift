import FerryHTTP

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
        var answers = [JSONValue?](repeating: nil, count: routes.count)
        for start in stride(from: 0, to: routes.count, by: Self.mostInBatch) {
            let portion = start..<min(start + Self.mostInBatch, routes.count)
            let requests = portion.map { index -> JSONValue in
                ["id": .text(String(index)), "method": "GET", "url": .text(routes[index])]
            }
            let batch = try await call(
                .post,
                "/$batch",
                ["requests": .list(requests)],
                about: .root,
                isIdempotent: true
            )
            // They come in any order.
            for answer in batch["responses"].items where answer["status"].integer == 200 {
                guard let index = answer["id"].string.flatMap({ Int($0) }), portion.contains(index) else { continue }
                answers[index] = answer["body"]
            }
        }
        return answers
    }
}
