import Foundation

/// An error of the identity platform.
///
/// Vendor page: "Microsoft identity platform and OAuth 2.0 authorization code flow", "device authorization grant".
struct GraphOAuthError: Error {
    let error: String
    /// The number behind `AADSTS`.
    let number: Int64
    let message: String
    var status = 400

    init(_ error: String, _ number: Int64, _ message: String, status: Int = 400) {
        self.error = error
        self.number = number
        self.message = message
        self.status = status
    }

    /// Returns the error as an answer.
    func response(date: Date, traceID: String, correlationID: String) -> LabResponse {
        let time = GraphTimestamp.text(date, isPrecise: false).replacing("T", with: " ")
        let trace = "Trace ID: \(traceID) Correlation ID: \(correlationID) Timestamp: \(time)"
        var response = LabResponse(
            status,
            json: [
                "error": .string(error), "error_description": .string("AADSTS\(number): \(message) \(trace)"),
                "error_codes": [.integer(number)], "timestamp": .string(time), "trace_id": .string(traceID),
                "correlation_id": .string(correlationID),
            ]
        )
        response.refusal = error
        return response
    }
}
