import FerryTestServers
import Foundation
import Testing

@testable import FerryFTP

@Suite("Control connections by libcurl")
struct CurlConnectionTests {
    @Test("that are given up while they are made touch nobody else's sockets")
    func givenUp() async throws {
        let listener = try await FullListener.start()
        let url = try #require(URL(string: "ftp://127.0.0.1:\(listener.port)"))
        let broken = try await FTPThread().run {
            let address = try FTPAddress(url, security: FTPSecurity.none)
            var connection: CurlConnection? = try CurlConnection(
                address,
                user: "a",
                password: "b",
                options: FTPOptions()
            )
            var call = CurlCall()
            call.patience = .milliseconds(300)
            let outcome = try connection?.perform(call, cancellation: FTPCancellation())
            #expect(outcome?.hasTimedOut == true && outcome?.replies.isEmpty == true)
            // libcurl has closed its socket, whose number one of these has now.
            let pairs = (0..<64).map { _ in Self.pair() }
            defer { pairs.joined().forEach { close($0) } }
            connection = nil
            // A socket that is shut down gives an end; the others have nothing yet.
            var byte: UInt8 = 0
            return pairs.joined().filter { recv($0, &byte, 1, CInt(MSG_DONTWAIT)) >= 0 }.count
        }
        #expect(broken == 0)
        await listener.close()
    }

    private static func pair() -> [CInt] {
        var ends: [CInt] = [-1, -1]
        #if canImport(Darwin)
        let kind = SOCK_STREAM
        #else
        let kind = CInt(SOCK_STREAM.rawValue)
        #endif
        socketpair(AF_UNIX, kind, 0, &ends)
        return ends
    }
}
