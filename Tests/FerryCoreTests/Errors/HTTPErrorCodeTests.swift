import FerryCore
import Testing

@Suite("A status code")
struct HTTPErrorCodeTests {
    @Test("has a name, words and a class")
    func names() {
        #expect(PreconditionFailedError(path: "/a").code == .preconditionFailed)
        #expect(FileProviderHTTPErrorCode.notFound.rawValue == 404)
        #expect("\(FileProviderHTTPErrorCode.insufficientStorage)" == "Insufficient Storage")
        #expect(FileProviderHTTPErrorCode.notFound.category == .clientError)
        #expect(FileProviderHTTPErrorCode.badGateway.category == .serverError)
        #expect(FileProviderHTTPErrorCode.multiStatus.category == .success)
    }

    @Test("that nobody has registered is a code all the same")
    func unregistered() {
        #expect("\(FileProviderHTTPErrorCode(rawValue: 599))" == "599")
        #expect(FileProviderHTTPErrorCode(rawValue: 42).category == nil)
    }
}
