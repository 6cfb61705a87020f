import FerryCore
import FerryHTTP
import Foundation
import Testing

@testable import FerryWebDAV

@Suite("What a server says of a lock")
struct ActiveLockTests {
    @Test(
        "ends as many seconds after the connection's time of day, or never",
        arguments: [("Second-600, Infinite", 600), ("Infinite", nil)] as [(String, TimeInterval?)]
    )
    func expiry(timeout: String, seconds: TimeInterval?) async throws {
        let now = Date(timeIntervalSince1970: 1_000_000)
        let environment = FileProviderEnvironment()
        let session = HTTPSession(transport: NIOTransport(), logger: environment.logger)
        let connection = try WebDAVConnection(
            baseURL: try #require(URL(string: "http://127.0.0.1:1/")),
            session: session,
            environment: environment,
            now: { now }
        )
        func element(_ name: String, _ text: String = "", _ children: [WebDAVElement] = []) -> WebDAVElement {
            WebDAVElement(WebDAVPropertyName(name), text: text, children: children)
        }
        let token = element("locktoken", "", [element("href", "urn:uuid:1")])
        let discovery = element("lockdiscovery", "", [element("activelock", "", [token, element("timeout", timeout)])])
        let locks = WebDAVActiveLock.locks(in: discovery, on: "/a", connection: connection)
        #expect(locks.map(\.token) == ["urn:uuid:1"])
        #expect(locks.first?.expires == seconds.map { now.addingTimeInterval($0) })
        await session.invalidate()
    }
}
