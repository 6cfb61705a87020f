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
            let closed = try await withThrowingTaskGroup(of: Bool.self) { group in
                for index in 0..<20 {
                    group.addTask {
                        let client = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                        // A port that is closed by then refuses the connection.
                        guard let channel = try? await client.connect(host: "127.0.0.1", port: ports[index % 2]).get()
                        else { return true }
                        // A client waits for the end, and does not make it.
                        try await channel.closeFuture.get()
                        return true
                    }
                }
                await proxy.stop()
                await lab.stop()
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(closed == 20)
        }
    }

    @Test("before it has served can be stopped")
    func unserved() async throws {
        let server = try await LabServer.start(port: 0)
        await server.stop()
    }
}
