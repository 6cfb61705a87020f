import FerryTestServers
import Foundation
import Testing

@Suite("Real servers run, with every login and both schemes")
struct RealServerTests {
    @Test("and answer those who log in", arguments: RealServerKind.allCases)
    func answers(_ kind: RealServerKind) async throws {
        let server = try await RealServer.shared(kind)
        for endpoint in server.endpoints {
            let place = try server.makePlace(endpoint)
            defer { place.remove() }
            try place.write(Data("hello".utf8), to: "in")
            #expect(try await curl(endpoint, server, ["\(place.url)in"]).last == "200")
            #expect(try await curl(endpoint, server, ["-T", place.path("in"), "\(place.url)out"]).last == "201")
            #expect(place.read("out") == Data("hello".utf8))
            let refused = try await curl(endpoint, server, ["-u", "ferry:wrong", "\(place.url)in"])
            #expect(refused == ["401"], "\(endpoint)")
        }
    }

    /// curl's output by lines, with the status last.
    private func curl(
        _ endpoint: RealServerEndpoint,
        _ server: RealServer,
        _ arguments: [String]
    ) async throws -> [Substring] {
        let common = [
            "-sS", "--http1.1", "--max-time", "300", "--cacert", server.certificateAuthorityFile,
            "--\(endpoint.login.rawValue)",
            "-u", "\(server.user):\(server.password)", "-o", "/dev/null", "-w", "%{http_code}",
        ]
        let result = try await TestProgram.run("curl", common + arguments)
        #expect(result.errors == "", "\(endpoint)")
        return result.output.split(separator: "\n")
    }
}
