import NIOHTTP1
import Testing

@testable import FerryCloudLab

@Suite("Checks of requests for tokens")
struct OAuthCheckTests {
    private static let form = "application/x-www-form-urlencoded"

    @Test(
        "a request for tokens is a form with what its grant needs",
        arguments: [
            ("grant_type=refresh_token&refresh_token=a&client_id=b", nil),
            ("grant_type=authorization_code&code=a&client_id=b&redirect_uri=c&code_verifier=d", nil),
            ("grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&device_code=a&client_id=b", nil),
            ("refresh_token=a&client_id=b", "grant_type The parameter is missing."),
            ("grant_type=password&client_id=b", "grant_type 'password' is no kind of grant."),
            ("grant_type=refresh_token&client_id=b", "refresh_token The parameter is missing."),
            ("grant_type=authorization_code&client_id=b", "code The parameter is missing."),
            ("grant_type=refresh_token&refresh_token=a", "client_id The parameter is missing."),
            (
                "grant_type=refresh_token&refresh_token=a&refresh_token=b&client_id=b",
                "refresh_token The parameter is there"
            ),
        ] as [(String, String?)]
    )
    func requests(body: String, finding: String?) {
        let found = OAuthCheck.findings(inRequest: request(body, headers: ["Content-Type": Self.form]))
        #expect(found.count == (finding == nil ? 0 : 1), "\(found)")
        if let finding { #expect(found.contains { "\($0.path) \($0.sentence)".hasPrefix(finding) }, "\(found)") }
    }

    private func request(_ body: String, headers: HTTPHeaders) -> LabRequest {
        LabRequest(
            method: .POST,
            endpoint: "login",
            path: "/token",
            query: [],
            headers: headers,
            baseURLs: [:],
            body: CloudContent(body.utf8),
            fault: nil
        )
    }

    @Test("a client is named in the form or by Basic, and never by a token")
    func clients() {
        let body = "grant_type=refresh_token&refresh_token=a"
        var headers: HTTPHeaders = ["Content-Type": Self.form, "Authorization": "Basic YTpi"]
        #expect(OAuthCheck.findings(inRequest: request(body, headers: headers)) == [])
        headers.replaceOrAdd(name: "Authorization", value: "Bearer x")
        #expect(OAuthCheck.findings(inRequest: request(body, headers: headers)).map(\.path) == ["Authorization"])
        headers = ["Content-Type": "application/json", "Authorization": "Basic YTpi"]
        #expect(OAuthCheck.findings(inRequest: request(body, headers: headers)).map(\.path) == ["Content-Type"])
    }

    @Test(
        "an answer has a token, its kind and its life, or the code of an error",
        arguments: [
            (200, #"{"access_token":"a","token_type":"bearer","expires_in":1,"refresh_token":"b"}"#, nil),
            (400, #"{"error":"invalid_grant"}"#, nil),
            (400, "Invalid redirect_uri.", nil),
            (200, "a", "$"),
            (200, #"{"token_type":"bearer","expires_in":1}"#, "$.access_token"),
            (200, #"{"access_token":"a","expires_in":1}"#, "$.token_type"),
            (200, #"{"access_token":"a","token_type":"bearer","expires_in":"1"}"#, "$.expires_in"),
            (200, #"{"access_token":"a","token_type":"bearer","expires_in":1,"refresh_token":1}"#, "$.refresh_token"),
            (400, #"{"code":"invalid_grant"}"#, "$.error"),
            (404, #"{}"#, ""),
        ] as [(Int, String, String?)]
    )
    func answers(status: Int, body: String, path: String?) {
        let found = OAuthCheck.findings(inAnswer: LabResponse(status, body: CloudContent(body.utf8)))
        #expect(found.map(\.path) == (path.map { [$0] } ?? []))
    }
}
