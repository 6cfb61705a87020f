import FerryCore
import FerryHTTP
import Foundation
import Testing

@testable import FerryOneDrive

@Suite("Refusals by Microsoft Graph")
struct OneDriveErrorTests {
    private static func error(_ code: String, _ status: Int, inner: String = "{}") -> OneDriveError {
        let body = #"{"error":{"code":"\#(code)","message":"In words.","innerError":\#(inner)}}"#
        return OneDriveError(status: status, path: "/a/b.txt", body: Data(body.utf8))
    }

    @Test(
        "become the errors of the table",
        arguments: [
            ("itemNotFound", 404, CocoaError.Code.fileNoSuchFile), ("nameAlreadyExists", 409, .fileWriteFileExists),
            ("accessDenied", 403, .fileWriteNoPermission), ("notAllowed", 403, .fileWriteNoPermission),
            ("quotaLimitReached", 507, .fileWriteOutOfSpace), ("malwareDetected", 403, .fileWriteNoPermission),
            ("notSupported", 501, .featureUnsupported), ("resourceLocked", 423, .fileWriteNoPermission),
            ("serviceReadOnly", 503, .fileWriteVolumeReadOnly), ("maxFileSizeExceeded", 413, .fileWriteOutOfSpace),
        ]
    )
    func files(code: String, status: Int, expected: CocoaError.Code) {
        let mapped = Self.error(code, status).mapped(whileWriting: true)
        #expect((mapped as? CocoaError)?.code == expected)
        #expect((mapped.serverAnswer as? OneDriveError)?.serverDescription == "In words.")
    }

    @Test("are told apart by the innermost code that is known", arguments: ["innerError", "innererror"])
    func inner(name: String) {
        let body = """
            {"error":{"code":"invalidRequest","message":"m","\(name)":{"code":"new","request-id":"r",\
            "\(name)":{"code":"pathIsTooLong","\(name)":{"code":"newer"}}}}}
            """
        let error = OneDriveError(status: 400, path: "/a", body: Data(body.utf8))
        #expect(error.codes == ["invalidRequest", "new", "pathIsTooLong", "newer"])
        #expect(error.requestID == "r")
        #expect((error.mapped(whileWriting: true) as? CocoaError)?.code == .fileWriteInvalidFileName)
    }

    @Test(
        "are no proof of absence unless Graph itself says so",
        arguments: [("", 404), ("resourceNotFound", 404), ("itemNotFoundSomehow", 404), ("gone", 410), ("", 400)]
    )
    func doubt(code: String, status: Int) {
        #expect(!Self.error(code, status).mapped().isNoSuchItem)
        #expect(!OneDriveError(status: status, path: "/a", body: Data("<html>".utf8)).mapped().isNoSuchItem)
    }

    @Test(
        "of the login, the rate and the server are told apart",
        arguments: [
            ("InvalidAuthenticationToken", 401, URLError.Code.userAuthenticationRequired),
            ("activityLimitReached", 429, .resourceUnavailable), ("serviceNotAvailable", 503, .resourceUnavailable),
            ("generalException", 500, .badServerResponse), ("whatever", 509, .resourceUnavailable),
        ]
    )
    func statuses(code: String, status: Int, expected: URLError.Code) {
        #expect((Self.error(code, status).mapped() as? URLError)?.code == expected)
    }

    @Test("of a condition that fails are that", arguments: [("resourceModified", 412), ("", 412)])
    func condition(code: String, status: Int) {
        #expect(Self.error(code, status).mapped() is PreconditionFailedError)
    }

    @Test("in plain text have the server's words, in HTML none")
    func plainText() {
        #expect(OneDriveError(status: 400, path: "/a", body: Data("bad".utf8)).serverDescription == "bad")
        #expect(OneDriveError(status: 502, path: "/a", body: Data("<html>".utf8)).serverDescription == nil)
    }

    @Test("name the code, the words, the status and the request")
    func words() {
        let error = Self.error("itemNotFound", 404, inner: #"{"request-id":"r1"}"#)
        #expect(error.failureReason == "itemNotFound: In words (HTTP 404, request r1)")
    }
}
