import FerryHTTP
import FerryTestServers
import Foundation
import HTTPTypes
import NIOCore
import Synchronization
import Testing

@Suite("Through a proxy, a transport")
struct ProxyTests {
    private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"

    @Test("makes a tunnel, and says who it is to the proxy only")
    func http() async throws {
        let heads = SharedValue<[String]>([])
        try await withRawServer { connection in
            let connect = try await connection.readHead()
            try await connection.write("HTTP/1.1 200 Connected\r\n\r\n")
            let get = try await connection.readHead()
            heads.value.withLock { $0 += [connect, get] }
            try await connection.write(Self.answer)
        } perform: { proxy in
            var configuration = HTTPTransportConfiguration()
            configuration.proxy = .http(host: "127.0.0.1", port: proxy.port, user: "ann", password: "open sesame")
            try await withTransport(.nio, configuration) { transport async throws in
                #expect(try await transport.text(.get, #require(URL(string: "http://files.example.com/"))) == "hello")
            }
        }
        let seen = heads.value.withLock { $0 }
        try #require(seen.count == 2)
        #expect(seen[0].hasPrefix("CONNECT files.example.com:80 HTTP/1.1\r\n"))
        let credential = Data("ann:open sesame".utf8).base64EncodedString()
        #expect(seen[0].lowercased().contains("proxy-authorization: basic \(credential.lowercased())\r\n"))
        #expect(seen[1].hasPrefix("GET / HTTP/1.1\r\n"))
        #expect(!seen[1].contains(credential))
    }

    @Test("goes through SOCKS 5, which looks up the name")
    func socks() async throws {
        let target = SharedValue(ByteBuffer())
        try await withRawServer { connection in
            // RFC 1928 §3 to §6.
            _ = try await connection.read(count: 3)
            try await connection.write(ByteBuffer(bytes: [5, 0]))
            let request = try await connection.read(count: 4 + 1 + 17 + 2)
            target.value.withLock { $0 = request }
            try await connection.write(ByteBuffer(bytes: [5, 0, 0, 1, 127, 0, 0, 1, 0, 80]))
            try await connection.readHead()
            try await connection.write(Self.answer)
        } perform: { proxy in
            var configuration = HTTPTransportConfiguration()
            configuration.proxy = .socks(host: "127.0.0.1", port: proxy.port)
            try await withTransport(.nio, configuration) { transport async throws in
                #expect(try await transport.text(.get, #require(URL(string: "http://files.example.com/"))) == "hello")
            }
        }
        let request = target.value.withLock { $0 }
        #expect(Array(request.readableBytesView) == [5, 1, 0, 3, 17] + Array("files.example.com".utf8) + [0, 80])
    }

    @Test("says who it is to a SOCKS proxy that asks", arguments: [true, false])
    func socksLogin(isRight: Bool) async throws {
        let login = SharedValue(ByteBuffer())
        try await withRawServer { connection in
            // RFC 1929.
            _ = try await connection.read(count: 4)
            try await connection.write(ByteBuffer(bytes: [5, 2]))
            let sent = try await connection.read(count: 3 + 3 + 6)
            login.value.withLock { $0 = sent }
            try await connection.write(ByteBuffer(bytes: [1, isRight ? 0 : 1]))
            _ = try await connection.read(count: 4 + 4 + 2)
            try await connection.write(ByteBuffer(bytes: [5, 0, 0, 1, 127, 0, 0, 1, 0, 80]))
            try await connection.readHead()
            try await connection.write(Self.answer)
        } perform: { proxy in
            var configuration = HTTPTransportConfiguration()
            configuration.proxy = .socks(host: "127.0.0.1", port: proxy.port, user: "ann", password: "sesame")
            try await withTransport(.nio, configuration) { transport async throws in
                let url = try #require(URL(string: "http://10.1.2.3/"))
                var text: String?
                let code = await failureCode { text = try await transport.text(.get, url) }
                #expect(code == (isRight ? nil : .userAuthenticationRequired))
                #expect(text == (isRight ? "hello" : nil))
            }
        }
        let sent = login.value.withLock { Array($0.readableBytesView) }
        #expect(sent == [1, 3] + Array("ann".utf8) + [6] + Array("sesame".utf8))
    }

    @Test(
        "tells what a proxy refuses",
        arguments: [
            ("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n", URLError.Code.userAuthenticationRequired),
            ("HTTP/1.1 502 Bad Gateway\r\n\r\n", .cannotConnectToHost),
        ]
    )
    func refused(answer: String, code: URLError.Code) async throws {
        let proxy = try await RawServer.start(answering: answer)
        var configuration = HTTPTransportConfiguration()
        configuration.proxy = .http(host: "127.0.0.1", port: proxy.port)
        try await withTransport(.nio, configuration) { transport async throws in
            let url = try #require(URL(string: "http://files.example.com/"))
            #expect(await failureCode { _ = try await transport.text(.get, url) } == code)
        }
        await proxy.stop()
    }

    @Test("tells that SOCKS refuses")
    func socksRefuses() async throws {
        try await withRawServer { connection in
            _ = try await connection.read(count: 3)
            try await connection.write(ByteBuffer(bytes: [5, 0]))
            _ = try await connection.read(count: 24)
            try await connection.write(ByteBuffer(bytes: [5, 4, 0, 1, 0, 0, 0, 0, 0, 0]))
        } perform: { proxy in
            var configuration = HTTPTransportConfiguration()
            configuration.proxy = .socks(host: "127.0.0.1", port: proxy.port)
            try await withTransport(.nio, configuration) { transport async throws in
                let url = try #require(URL(string: "http://files.example.com/"))
                #expect(await failureCode { _ = try await transport.text(.get, url) } == .cannotConnectToHost)
            }
        }
    }

    @Test("shows no password to who prints its settings")
    func secrets() {
        let proxy = HTTPProxy.http(host: "proxy", port: 1, user: "ann", password: "open sesame")
        let certificate = HTTPClientCertificate(chain: .pem(Data("a".utf8)), key: .pem(Data("open sesame".utf8)))
        var configuration = HTTPTransportConfiguration()
        configuration.proxy = proxy
        configuration.clientCertificate = certificate
        var dumped = "\(configuration) \(String(reflecting: configuration)) "
        dump(configuration, to: &dumped)
        #expect(!dumped.contains("sesame"))
    }
}
