import FerryCore
import FerryHTTP
import FerryTestServers
import FerryWebDAV
import Foundation
import HTTPTypes
import Testing

@Suite("Over HTTP/2")
struct HTTP2Tests {
    @Test(
        "files are listed, written, read and refused as ever, many at a time, where it is switched on",
        arguments: [true, false]
    )
    func works(isOn: Bool) async throws {
        let server = try await RealServer.start(
            .nginx,
            extras: ["http2", "add_header X-Protocol $server_protocol always;"]
        )
        let place = try server.makePlace(try #require(server.endpoint(.basic, isSecure: true)))
        var configuration = HTTPTransportConfiguration()
        configuration.allowsHTTP2 = isOn
        configuration.trust = .only([.pem(Data(server.certificateAuthority.utf8))])
        let recording = RecordingTransport(try AsyncHTTPClientTransport(configuration))
        let files = try WebDAVFileProvider(
            baseURL: place.url,
            credential: FileProviderCredential(user: server.user, secret: .password(server.password)),
            transport: recording
        )
        let large = Data((0..<(4 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try await files.writeContents(path: "/large", contents: large)
        #expect(try await files.contents(path: "/large") == large)
        #expect(try await files.contents(path: "/large", offset: 1_000_000, length: 10) == large[1_000_000..<1_000_010])
        try await withThrowingTaskGroup { group in
            for number in 0..<40 {
                group.addTask {
                    let contents = Data(repeating: UInt8(number), count: 10_000)
                    try await files.writeContents(path: ItemPath.root.appending("\(number)"), contents: contents)
                    #expect(try await files.contents(path: ItemPath.root.appending("\(number)")) == contents)
                }
            }
            try await group.waitForAll()
        }
        #expect(try await files.contentsOfDirectory(path: "/").count == 41)
        let error = await #expect(throws: CocoaError.self) { try await files.contents(path: "/gone") }
        #expect(error?.code == .fileNoSuchFile)
        try await files.removeItem(path: "/large")
        #expect(place.read("large") == nil)

        let protocols = Set(
            recording.exchanges.compactMap { $0.response?.headerFields[.known("X-Protocol")] }
        )
        #expect(protocols == [isOn ? "HTTP/2.0" : "HTTP/1.1"])
        await files.invalidate()
        place.remove()
    }
}
