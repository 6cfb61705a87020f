extension FileProviderHTTPErrorCode {
    /// 100 Continue.
    public static let `continue` = Self(rawValue: 100)
    /// 101 Switching Protocols.
    public static let switchingProtocols = Self(rawValue: 101)
    /// 102 Processing.
    public static let processing = Self(rawValue: 102)
    /// 103 Early Hints.
    public static let earlyHints = Self(rawValue: 103)
    /// 200 OK.
    public static let ok = Self(rawValue: 200)
    /// 201 Created.
    public static let created = Self(rawValue: 201)
    /// 202 Accepted.
    public static let accepted = Self(rawValue: 202)
    /// 203 Non-Authoritative Information.
    public static let nonAuthoritativeInformation = Self(rawValue: 203)
    /// 204 No Content.
    public static let noContent = Self(rawValue: 204)
    /// 205 Reset Content.
    public static let resetContent = Self(rawValue: 205)
    /// 206 Partial Content.
    public static let partialContent = Self(rawValue: 206)
    /// 207 Multi-Status.
    public static let multiStatus = Self(rawValue: 207)
    /// 208 Already Reported.
    public static let alreadyReported = Self(rawValue: 208)
    /// 226 IM Used.
    public static let imUsed = Self(rawValue: 226)
    /// 300 Multiple Choices.
    public static let multipleChoices = Self(rawValue: 300)
    /// 301 Moved Permanently.
    public static let movedPermanently = Self(rawValue: 301)
    /// 302 Found.
    public static let found = Self(rawValue: 302)
    /// 303 See Other.
    public static let seeOther = Self(rawValue: 303)
    /// 304 Not Modified.
    public static let notModified = Self(rawValue: 304)
    /// 305 Use Proxy.
    public static let useProxy = Self(rawValue: 305)
    /// 307 Temporary Redirect.
    public static let temporaryRedirect = Self(rawValue: 307)
    /// 308 Permanent Redirect.
    public static let permanentRedirect = Self(rawValue: 308)
    /// 400 Bad Request.
    public static let badRequest = Self(rawValue: 400)
    /// 401 Unauthorized.
    public static let unauthorized = Self(rawValue: 401)
    /// 402 Payment Required.
    public static let paymentRequired = Self(rawValue: 402)
    /// 403 Forbidden.
    public static let forbidden = Self(rawValue: 403)
    /// 404 Not Found.
    public static let notFound = Self(rawValue: 404)
    /// 405 Method Not Allowed.
    public static let methodNotAllowed = Self(rawValue: 405)
    /// 406 Not Acceptable.
    public static let notAcceptable = Self(rawValue: 406)
    /// 407 Proxy Authentication Required.
    public static let proxyAuthenticationRequired = Self(rawValue: 407)
    /// 408 Request Timeout.
    public static let requestTimeout = Self(rawValue: 408)
    /// 409 Conflict.
    public static let conflict = Self(rawValue: 409)
    /// 410 Gone.
    public static let gone = Self(rawValue: 410)
    /// 411 Length Required.
    public static let lengthRequired = Self(rawValue: 411)
    /// 412 Precondition Failed.
    public static let preconditionFailed = Self(rawValue: 412)
    /// 413 Content Too Large.
    public static let contentTooLarge = Self(rawValue: 413)
    /// 414 URI Too Long.
    public static let uriTooLong = Self(rawValue: 414)
    /// 415 Unsupported Media Type.
    public static let unsupportedMediaType = Self(rawValue: 415)
    /// 416 Range Not Satisfiable.
    public static let rangeNotSatisfiable = Self(rawValue: 416)
    /// 417 Expectation Failed.
    public static let expectationFailed = Self(rawValue: 417)
    /// 421 Misdirected Request.
    public static let misdirectedRequest = Self(rawValue: 421)
    /// 422 Unprocessable Content.
    public static let unprocessableContent = Self(rawValue: 422)
    /// 423 Locked.
    public static let locked = Self(rawValue: 423)
    /// 424 Failed Dependency.
    public static let failedDependency = Self(rawValue: 424)
    /// 425 Too Early.
    public static let tooEarly = Self(rawValue: 425)
    /// 426 Upgrade Required.
    public static let upgradeRequired = Self(rawValue: 426)
    /// 428 Precondition Required.
    public static let preconditionRequired = Self(rawValue: 428)
    /// 429 Too Many Requests.
    public static let tooManyRequests = Self(rawValue: 429)
    /// 431 Request Header Fields Too Large.
    public static let requestHeaderFieldsTooLarge = Self(rawValue: 431)
    /// 451 Unavailable For Legal Reasons.
    public static let unavailableForLegalReasons = Self(rawValue: 451)
    /// 500 Internal Server Error.
    public static let internalServerError = Self(rawValue: 500)
    /// 501 Not Implemented.
    public static let notImplemented = Self(rawValue: 501)
    /// 502 Bad Gateway.
    public static let badGateway = Self(rawValue: 502)
    /// 503 Service Unavailable.
    public static let serviceUnavailable = Self(rawValue: 503)
    /// 504 Gateway Timeout.
    public static let gatewayTimeout = Self(rawValue: 504)
    /// 505 HTTP Version Not Supported.
    public static let httpVersionNotSupported = Self(rawValue: 505)
    /// 506 Variant Also Negotiates.
    public static let variantAlsoNegotiates = Self(rawValue: 506)
    /// 507 Insufficient Storage.
    public static let insufficientStorage = Self(rawValue: 507)
    /// 508 Loop Detected.
    public static let loopDetected = Self(rawValue: 508)
    /// 510 Not Extended.
    public static let notExtended = Self(rawValue: 510)
    /// 511 Network Authentication Required.
    public static let networkAuthenticationRequired = Self(rawValue: 511)
}
