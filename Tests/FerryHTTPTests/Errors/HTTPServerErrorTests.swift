import FerryCore
import Foundation
import HTTPTypes
import NIOCore
import Testing

@testable import FerryHTTP

@Suite("A server's error")
struct HTTPServerErrorTests {
    /// The IANA registry of status codes, as of 2026.
    private static let registered =
        Array(100...104) + Array(200...208) + [226] + Array(300...308) + Array(400...418) + Array(421...426)
        + [428, 429, 431, 451] + Array(500...508) + [510, 511]

    private func reply(
        _ code: Int,
        _ body: String = "",
        type: String? = nil,
        fields: HTTPFields = HTTPFields()
    ) -> HTTPReply {
        var fields = fields
        fields[.contentType] = type
        return HTTPReply(
            head: HTTPResponse(status: .init(code: code), headerFields: fields),
            body: HTTPReplyBody(ByteBuffer(string: body))
        )
    }

    private func words(_ body: String, type: String?) async throws -> String? {
        try await HTTPServerError.read(reply(400, body, type: type), path: "/a").serverDescription
    }

    @Test("every registered status has words of its own, and any other has some")
    func statusWords() {
        #expect(HTTPStatusWords.registeredCodes == Set(Self.registered))
        for code in Array(100...599) + [0, 600, 999] {
            let error = HTTPServerError(.init(code: code), path: "/a")
            #expect(error.failureReason?.hasSuffix(" (HTTP \(code))") == true)
            #expect(error.failureReason?.first?.isLetter == true)
        }
        #expect(
            HTTPServerError(.init(code: 423), path: "/a").localizedDescription
                == "The request for “/a” failed: the item is locked (HTTP 423)."
        )
        #expect(HTTPServerError(.init(code: 423), path: "/a").recoverySuggestion != nil)
    }

    @Test(
        "the server's words are found, wherever it puts them",
        arguments: [
            ("Not here\n", "text/plain; charset=utf-8", "Not here"),
            ("Not here", nil, "Not here"),
            (
                #"<?xml version="1.0"?><d:error xmlns:d="DAV:"><s:exception>Sabre\DAV\Exception\NotFound</s:exception>"#
                    + "<s:message>File with name //n&#246;pe &amp; co could not be located</s:message></d:error>",
                "application/xml; charset=utf-8", "File with name //nöpe & co could not be located"
            ),
            (
                "<Error><Code>NoSuchKey</Code><Message>The key does not exist.</Message></Error>", nil,
                "The key does not exist."
            ),
            (
                #"<d:error><s:exception>Sabre\DAV\Exception\Locked</s:exception><s:message/></d:error>"#,
                "text/xml", #"Sabre\DAV\Exception\Locked"#
            ),
            (
                "<html><head><title>404</title><style>p{}</style></head><body><h1>404 Not Found</h1><hr><p>nginx</p>"
                    + "<script>alert('<p>')</script></body></html>",
                "text/html", "404 Not Found nginx"
            ),
            (#"{"error":{"message":"Too big","code":9}}"#, "application/json", "Too big"),
            (#"{"error":"invalid_grant","error_description":"expired"}"#, "application/json", "expired"),
            (#"{"error_summary":"path/not_found/.."}"#, nil, "path/not_found/.."),
            (#"{"ocs":{"meta":{"message":"No such share"}}}"#, "application/json", "No such share"),
            (#"{"title":"Nope","status":400}"#, "application/problem+json", "Nope"),
        ] as [(String, String?, String)]
    )
    func findsWords(body: String, type: String?, expected: String) async throws {
        #expect(try await words(body, type: type) == expected)
    }

    @Test(
        "what is no text, or has no words, is none",
        arguments: [
            ("\u{0}\u{1}", "text/plain"), ("PNG", "image/png"), ("[]", "application/json"), ("  \n", "text/plain"),
            ("{\"error\":{\"message\":", "application/json"), ("<script>x", "text/html"), ("", nil),
        ] as [(String, String?)]
    )
    func noWords(body: String, type: String?) async throws {
        #expect(try await words(body, type: type) == nil)
    }

    @Test("compressed bytes and bytes that are not UTF-8 are no words; a character cut in two costs nothing else")
    func noText() async throws {
        let compressed = reply(500, "looks like text", type: "text/plain", fields: [.contentEncoding: "gzip"])
        #expect(try await HTTPServerError.read(compressed, path: "/").serverDescription == nil)
        func plain(_ bytes: [UInt8]) -> String? {
            HTTPServerError(reply(500, type: "text/plain"), path: "/", body: Data(bytes)).serverDescription
        }
        #expect(plain([0x61, 0xff, 0x62, 0x63, 0x64, 0x65]) == nil)
        #expect(plain([0x61, 0xe2, 0x82]) == "a")
    }

    @Test("control characters and marks that turn the direction of writing are left out")
    func controls() async throws {
        #expect(try await words("a\u{1b}[31m\rb\u{202e}c\u{9b}d\ne", type: "text/plain") == "a[31mbcd\ne")
    }

    @Test("4 KiB are kept, and the rest of the answer is let go of")
    func bounded() async throws {
        let long = String(repeating: "é", count: 40_000)
        #expect(try await words(long, type: "text/plain")?.utf8.count == 4096)
        let endless = HTTPReply(
            head: HTTPResponse(status: 500, headerFields: [.contentType: "text/html"]),
            body: HTTPReplyBody { ByteBuffer(string: "<p>more</p>") }
        )
        let error = try await HTTPServerError.read(endless, path: "/")
        #expect(error.serverDescription?.hasPrefix("more more") == true)
    }

    @Test("a body that breaks leaves the status; a cancelled one is cancelled")
    func broken() async throws {
        let cut = HTTPReply(
            head: HTTPResponse(status: .init(code: 507)),
            body: HTTPReplyBody { throw URLError(.networkConnectionLost) }
        )
        #expect(try await HTTPServerError.read(cut, path: "/").statusCode == 507)
        let cancelled = HTTPReply(
            head: HTTPResponse(status: .init(code: 507)),
            body: HTTPReplyBody { throw CancellationError() }
        )
        await #expect(throws: CancellationError.self) { try await HTTPServerError.read(cancelled, path: "/") }
    }

    @Test(
        "what looks like a secret is not repeated",
        arguments: [
            "bad header: Authorization: Basic YWxpY2U6c2VjcmV0", "Bearer sl.Ab1-cdEFghij_SECRET expired",
            "GET /x?access_token=SECRETabc&y=1", "password='SECRET' is wrong", "client_secret=SECRET",
        ]
    )
    func secrets(text: String) async throws {
        let shown = try #require(try await words(text, type: "text/plain"))
        #expect(!shown.contains("SECRET") && !shown.contains("YWxpY2U6c2VjcmV0"))
        #expect(shown.contains("<redacted>"))
        #expect(try await words("Basic authentication required", type: nil) == "Basic authentication required")
    }

    @Test(
        "a status becomes the error of the table, with the server's answer inside",
        arguments: [
            (404, CocoaError.fileNoSuchFile, .fileNoSuchFile), (410, .fileNoSuchFile, .fileNoSuchFile),
            (403, .fileReadNoPermission, .fileWriteNoPermission), (423, .fileReadNoPermission, .fileWriteNoPermission),
            (405, .featureUnsupported, .featureUnsupported), (501, .featureUnsupported, .featureUnsupported),
            (413, .fileWriteOutOfSpace, .fileWriteOutOfSpace), (507, .fileWriteOutOfSpace, .fileWriteOutOfSpace),
            (414, .fileReadInvalidFileName, .fileWriteInvalidFileName),
        ] as [(Int, CocoaError.Code, CocoaError.Code)]
    )
    func files(status: Int, reading: CocoaError.Code, writing: CocoaError.Code) throws {
        let error = HTTPServerError(.init(code: status), path: "/a", serverDescription: "words")
        let whileReading = try #require(error.mapped() as? CocoaError)
        let whileWriting = try #require(error.mapped(whileWriting: true, url: URL(string: "http://h/a")) as? CocoaError)
        #expect(whileReading.code == reading)
        #expect(whileWriting.code == writing)
        #expect(whileWriting.underlying as? HTTPServerError == error)
        #expect(whileWriting.filePath == "/a")
        #expect(whileWriting.url?.absoluteString == "http://h/a")
    }

    @Test(
        "a status that is about the connection becomes a URLError",
        arguments: [
            (401, URLError.userAuthenticationRequired), (407, .userAuthenticationRequired), (408, .timedOut),
            (429, .resourceUnavailable), (503, .resourceUnavailable), (500, .badServerResponse),
            (502, .badServerResponse), (302, .redirectToNonExistentLocation), (202, .cannotParseResponse),
        ] as [(Int, URLError.Code)]
    )
    func connection(status: Int, code: URLError.Code) throws {
        let error = HTTPServerError(.init(code: status), path: "/a")
        let mapped = try #require(error.mapped() as? URLError)
        #expect(mapped.code == code)
        #expect(mapped.errorUserInfo[NSUnderlyingErrorKey] as? HTTPServerError == error)
    }

    @Test("a status that no code fits stays the server's", arguments: [304, 400, 409, 412, 416, 422])
    func itself(status: Int) {
        let error = HTTPServerError(.init(code: status), path: "/a")
        #expect(error.mapped(whileWriting: true) as? HTTPServerError == error)
    }

    @Test(
        "what may pass by itself is tried again by the retry policy, and when the server says",
        arguments: [
            (429, true), (503, true), (500, true), (502, true), (504, true), (408, true), (423, true), (404, false),
            (403, false), (507, false),
        ]
    )
    func transient(status: Int, isTransient: Bool) {
        let error = HTTPServerError(.init(code: status), path: "/a", retryAfter: .seconds(7))
        #expect(RetryPolicy.isTransient(error.mapped()) == isTransient)
        if isTransient {
            #expect(RetryPolicy().delay(afterAttempt: 1, error: error.mapped(), jitter: 1) == .seconds(7))
        }
    }

    @Test(
        "Retry-After is seconds or a date, by the server's own clock",
        arguments: [
            ("7", nil, .seconds(7)), (" 0 ", nil, .zero), ("99999999999999999999", nil, .seconds(Int64(Int32.max))),
            ("Sun, 06 Nov 1994 08:49:47 GMT", "Sun, 06 Nov 1994 08:49:37 GMT", .seconds(10)),
            ("Sun, 06 Nov 1994 08:49:47 GMT", nil, .seconds(47)),
            ("Sun, 06 Nov 1994 08:40:00 GMT", nil, .zero), ("-1", nil, nil), ("soon", nil, nil), ("", nil, nil),
        ] as [(String, String?, Duration?)]
    )
    func retryAfter(text: String, date: String?, expected: Duration?) throws {
        var fields: HTTPFields = [.retryAfter: text]
        fields[.date] = date
        let now = try #require(HTTPDate.parse("Sun, 06 Nov 1994 08:49:00 GMT"))
        #expect(fields.retryAfter(now: now) == expected)
    }
}
