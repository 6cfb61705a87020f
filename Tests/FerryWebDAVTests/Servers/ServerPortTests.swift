#if os(Linux)
import Foundation
import Testing

@testable import FerryTestServers

@Suite("Ports of test servers")
struct ServerPortTests {
    @Test("belong to the server that listens, however many others do")
    func owner() async throws {
        // More than the system lists in a page.
        let others = (0..<100).map { _ in socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0) }
        defer { others.forEach { close($0) } }
        #expect(others.allSatisfy { listen($0, 1) == 0 })

        let files = try ServerFolder(owner: nil)
        let port = try FreePorts.find(1)[0]
        let python = try ServerCommand.find("python3", packages: "python3")
        let server = ServerCommand(python, ["-m", "http.server", "\(port)", "--bind", "127.0.0.1"])
        let first = try ServerProcess(server, name: "first", in: files)
        let second = try ServerProcess(ServerCommand("/bin/sleep", ["600"]), name: "second", in: files)
        try await until("the server listens") { first.isListening(on: port) || first.hasEnded }
        try await until("the other program runs") { second.id != nil }
        #expect(first.isListening(on: port) && !second.isListening(on: port), "\(files.logTail())")
    }
}
#endif
