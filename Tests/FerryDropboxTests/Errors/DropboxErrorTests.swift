import FerryCore
import Foundation
import Testing

@testable import FerryDropbox

@Suite("Refusals by Dropbox")
struct DropboxErrorTests {
    private static func error(_ details: String, status: Int = 409) -> DropboxError {
        let body = Data(#"{"error_summary":"never/to/be/read","error":\#(details)}"#.utf8)
        return DropboxError(status: status, path: "/a/b.txt", body: body)
    }

    @Test(
        "become the errors of the table",
        arguments: [
            (#"{".tag":"path","path":{".tag":"not_found"}}"#, CocoaError.Code.fileNoSuchFile),
            (#"{".tag":"path_lookup","path_lookup":{".tag":"not_found"}}"#, .fileNoSuchFile),
            (#"{".tag":"from_lookup","from_lookup":{".tag":"not_found"}}"#, .fileNoSuchFile),
            (#"{".tag":"path","path":{".tag":"conflict","conflict":{".tag":"file"}}}"#, .fileWriteFileExists),
            (#"{".tag":"to","to":{".tag":"conflict","conflict":{".tag":"folder"}}}"#, .fileWriteFileExists),
            (#"{".tag":"path","path":{".tag":"conflict","conflict":{".tag":"file_ancestor"}}}"#, .fileWriteUnknown),
            (#"{".tag":"path","path":{".tag":"no_write_permission"}}"#, .fileWriteNoPermission),
            (#"{".tag":"path","reason":{".tag":"insufficient_space"},"upload_session_id":"x"}"#, .fileWriteOutOfSpace),
            (#"{".tag":"insufficient_quota"}"#, .fileWriteOutOfSpace),
            (#"{".tag":"path","reason":{".tag":"disallowed_name"},"more":"x"}"#, .fileWriteInvalidFileName),
            (#"{".tag":"path","path":{".tag":"malformed_path","malformed_path":"why"}}"#, .fileWriteInvalidFileName),
            (#"{".tag":"cant_move_folder_into_itself"}"#, .fileWriteInvalidFileName),
            (#"{".tag":"path","path":{".tag":"not_folder"}}"#, .fileWriteUnknown),
            (#"{".tag":"unsupported_file"}"#, .featureUnsupported),
        ]
    )
    func files(details: String, code: CocoaError.Code) {
        #expect((Self.error(details).mapped(whileWriting: true) as? CocoaError)?.code == code)
    }

    @Test(
        "are errors and no absence where it is not the path that is missing",
        arguments: [
            #"{".tag":"not_found"}"#, #"{".tag":"other"}"#, #"{".tag":"path","path":{".tag":"other"}}"#,
            #"{".tag":"reset"}"#, #"{".tag":"lookup_failed","lookup_failed":{".tag":"not_found"}}"#, "{}", "null",
            #"{".tag":"path","path":{".tag":"unheard_of","unheard_of":{".tag":"not_found"}}}"#,
        ]
    )
    func doubt(details: String) {
        #expect(!Self.error(details).mapped().isNoSuchItem)
    }

    @Test(
        "of the login, the rate and the server are told apart by their status",
        arguments: [
            (401, URLError.Code.userAuthenticationRequired), (429, .resourceUnavailable), (500, .badServerResponse),
            (503, .resourceUnavailable),
        ]
    )
    func statuses(status: Int, code: URLError.Code) {
        let error = Self.error(#"{".tag":"whatever"}"#, status: status).mapped()
        #expect((error as? URLError)?.code == code)
    }

    @Test(
        "of the space that paths begin at name the option",
        arguments: [#"{".tag":"no_permission"}"#, #"{".tag":"invalid_root","invalid_root":{}}"#]
    )
    func root(details: String) {
        let error = Self.error(details, status: 422).mapped()
        #expect((error as? CocoaError)?.code == .fileReadNoPermission)
        #expect(error.reasonInWords.contains("option path-root"))
        #expect(error.refusalByDropbox != nil)
    }

    @Test("of too many requests say for how long to wait")
    func rate() {
        let error = Self.error(#"{"reason":{".tag":"too_many_requests"},"retry_after":7}"#, status: 429)
        #expect(error.retryAfter == .seconds(7))
        #expect(error.tags == ["too_many_requests"])
        #expect(RetryPolicy.isTransient(error.mapped()))
    }

    @Test("of an offset say where the session stands")
    func offset() {
        let plain = Self.error(#"{".tag":"incorrect_offset","correct_offset":42}"#)
        let nested = Self.error(
            #"{".tag":"lookup_failed","lookup_failed":{".tag":"incorrect_offset","correct_offset":42}}"#
        )
        #expect(plain.correctOffset == 42)
        #expect(nested.correctOffset == 42)
    }

    @Test("in plain text have the server's words")
    func plainText() {
        let body = Data("Error in call to API function \"files/upload\": bad".utf8)
        let error = DropboxError(status: 400, path: "/a", body: body)
        #expect(error.serverDescription?.hasPrefix("Error in call") == true)
        #expect(error.tags.isEmpty)
        #expect(DropboxError(status: 502, path: "/a", body: Data("<html>".utf8)).serverDescription == nil)
    }

    @Test("carry the answer inside")
    func underlying() {
        let error = Self.error(#"{".tag":"path","path":{".tag":"not_found"}}"#).mapped()
        #expect(error.refusalByDropbox?.tags == ["path", "not_found"])
    }
}
