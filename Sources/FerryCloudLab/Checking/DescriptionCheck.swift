/// A check of the exchanges with one service.
protocol DescriptionCheck: Sendable {
    /// The name of the service.
    var service: String { get }

    /// Returns the differences between a request and the description.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - route: The operation in the service's words.
    /// - Returns: The differences.
    func findings(inRequest request: LabRequest, route: String) -> [ValueFinding]

    /// Returns the differences between an answer and the description.
    ///
    /// - Parameters:
    ///   - response: The answer.
    ///   - request: The request that it answers.
    ///   - route: The operation in the service's words.
    ///   - isRequestGood: A Boolean value that indicates whether the request is as described.
    /// - Returns: The differences.
    func findings(
        inAnswer response: LabResponse,
        to request: LabRequest,
        route: String,
        isRequestGood: Bool
    ) -> [ValueFinding]
}

extension DescriptionCheck {
    /// Reads a JSON text; reports it if it is none.
    static func json(_ bytes: some Sequence<UInt8>, at path: String, _ findings: inout [ValueFinding]) -> JSONValue? {
        do {
            return try JSONParser.parse(bytes)
        } catch {
            findings.append(ValueFinding(path: path, sentence: "The text is no JSON (byte \(error.offset))."))
            return nil
        }
    }
}
