import FerryTestServers
import Foundation
import NIOCore
import NIOPosix
import Testing

@testable import FerryCloudLab

@Suite("A lab that stops")
struct StoppingTests {
    @Test("while clients connect closes their connections, and nothing else happens")
    func whileConnecting() async throws {
        for _ in 0..<10 {
            let lab = try await CloudLab.start()
            let proxy = try await lab.startProxy()
            let ports = [lab.port, proxy.url.port ?? 0]
            try await withThrowingTaskGroup(of: (any Channel)?.self) { group in
                for index in 0..<20 {
                    group.addTask {
                        let client = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                        // A port that is closed by then refuses the connection.
                        return try? await client.connect(host: "127.0.0.1", port: ports[index % 2]).get()
                    }
                }
                await proxy.stop()
                await lab.stop()
                // Clients don't always see the end: Linux can forget a connection that nobody has accepted, without a word
                // to the other side, when the socket that listens is closed.
                for port in ports {
                    try await until("the lab has closed its sockets") { openSocketCount(at: port) == 0 }
                }
                for try await channel in group { try? await channel?.close() }
            }
        }
    }

    @Test("before it has served can be stopped")
    func unserved() async throws {
        let server = try await LabServer.start(port: 0)
        await server.stop()
    }
}
