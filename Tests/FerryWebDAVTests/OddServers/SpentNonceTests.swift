import FerryCore
import FerryTestServers
import Foundation
import Testing

@testable import FerryWebDAV

/// Issue 24: nonces that are good for a request or two.
@Suite("Logins whose nonces run out at once")
struct SpentNonceTests {
    private static let alice = FileProviderCredential(user: "alice", secret: .password("secret"))

    @Test("every request goes through, and no body is sent in vain for long", arguments: [1, 2, 3], [true, false])
    func requests(uses: Int, saysStale: Bool) async throws {
        try await withOddServer(credential: Self.alice) { server, files in
            server.change { ($0.nonceUses, $0.saysStale) = (uses, saysStale) }
            for number in 0..<6 { try await files.write("\(number)", to: .root.appending("\(number)")) }
            #expect(server.names == (0..<6).map { "/\($0)" })
            server.forget()
            let body = String(repeating: "b", count: 10_000)
            for number in 6..<10 { try await files.write(body, to: .root.appending("\(number)")) }
            let refused = server.requests.count { $0.method == "PUT" }
            #expect(refused <= 5, "bodies are sent with nonces that are good: \(server.methods)")
            #expect(server.requests.count <= 60)
        }
    }

    @Test("many requests at the same time go through", arguments: [1, 2])
    func parallel(uses: Int) async throws {
        try await withOddServer(credential: Self.alice) { server, files in
            server.change { $0.nonceUses = uses }
            server.plant(Dictionary(uniqueKeysWithValues: (0..<12).map { ("/\($0)", "\($0)") }))
            for _ in 0..<3 {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<12 {
                        group.addTask {
                            let text = try await files.read(.root.appending("\(number)"))
                            #expect(text == Data("\(number)".utf8))
                        }
                    }
                    try await group.waitForAll()
                }
            }
        }
    }

    @Test("a wrong name is still a wrong login")
    func wrong() async throws {
        let bob = FileProviderCredential(user: "bob", secret: .password("secret"))
        try await withOddServer(credential: bob) { server, files in
            server.change { $0.nonceUses = 1 }
            let error = await failure { try await files.contentsOfDirectory(path: "/") }
            #expect((error as? URLError)?.code == .userAuthenticationRequired)
            #expect(server.requests.count <= 4)
        }
    }
}
