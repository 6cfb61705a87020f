import FerryTestServers
import Foundation
import Testing

@Suite("The command, through proxies")
struct ProxyTests {
    @Test("goes where the environment says, and past it where that says so")
    func environment() async throws {
        let proxy = try await ForwardProxy.start(isStrict: true)
        let served = try await ServedSandbox(.apache)
        let variables = "export HTTP_PROXY=http://127.0.0.1:\(proxy.port)"
        let through = try await served.sandbox.bash("\(variables); echo hello | ferry write w:a && ferry cat w:a")
        #expect(through.output == "hello\n", "\(through)")
        let requests = proxy.log.components(separatedBy: "Request").count
        #expect(requests > 1, "\(proxy.log)")
        let past = try await served.sandbox.bash("\(variables) NO_PROXY=10.0.0.0/8,127.0.0.0/8; ferry cat w:a")
        #expect(past.output == "hello\n", "\(past)")
        #expect(proxy.log.components(separatedBy: "Request").count == requests)
    }

    @Test("names the variable that makes no sense")
    func nonsense() async throws {
        let served = try await ServedSandbox(.apache)
        let outcome = try await served.sandbox.bash("export http_proxy=ftp://ann:s3cret@proxy; ferry ls w:")
        #expect(outcome.code != 0)
        #expect(outcome.errors.contains("HTTP_PROXY"), "\(outcome)")
        #expect(!outcome.errors.contains("s3cret"))
    }
}
