import HTTPTypes

/// Indicates whether a request can be sent twice.
struct RequestRepeatability {
    /// Indicates whether two requests have the effect of one, also where somebody else acts between them.
    ///
    /// RFC 9110 §9.2.2 calls `PUT` and `DELETE` idempotent, and IANA's registry `MKCOL`, `COPY` and `MOVE` too. But
    /// sent again after an answer was lost, they meet their own work: `If-None-Match: *` fails, `DELETE` finds nothing,
    /// `MOVE` has no source. Only who sends them knows whether that does harm, and says so.
    let isIdempotent: Bool

    /// Indicates whether it can be sent again over a new connection, when one that was kept open for it was closed
    /// without a byte: in all likelihood the server never saw the request.
    let isRepeatedWhenStale: Bool

    init(_ method: HTTPRequest.Method, isIdempotent: Bool?) {
        let name = method.rawValue
        self.isIdempotent = isIdempotent ?? Self.harmless.contains(name)
        self.isRepeatedWhenStale = isIdempotent ?? (Self.harmless.contains(name) || Self.registered.contains(name))
    }

    /// Returns whether the session sends the request again for as long as it is answered so.
    ///
    /// - Parameter status: The status code.
    /// - Returns: `false` also for 500, which is repeated once.
    func repeats(_ status: Int) -> Bool {
        // RFC 6585 §4 doesn't say that nothing was done. Services say that such a request has failed and is to be sent
        // again, whatever it is: learn.microsoft.com/graph/throttling,
        // dropbox.com/developers/reference/data-ingress-guide.
        status == 429 || isIdempotent && [502, 503, 504].contains(status)
    }

    private static let harmless: Set = [
        "GET", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "SEARCH", "REPORT", "PROPPATCH", "QUERY",
    ]

    private static let registered: Set = ["PUT", "DELETE", "MKCOL", "COPY", "MOVE", "UNLOCK"]
}
