import FerryCore
import FerryTestServers
import Foundation
import HTTPTypes
import Testing

@testable import FerryWebDAV

/// Issue 24: a server that calls itself by another name than we do.
@Suite("Paths in answers that have another host")
struct OtherHostTests {
    @Test("are the server's, if the folder's own entry has our path there", arguments: [false, true])
    func backend(isLast: Bool) async throws {
        try await withOddServer { server, files in
            server.plant(["/d/a": "a", "/d/b/": ""])
            server.change { ($0.hrefHost, $0.listsFolderLast) = ("backend.internal:8080", isLast) }
            #expect(try await files.contentsOfDirectory(path: "/d").map(\.name).sorted() == ["a", "b"])
            #expect(try await files.attributesOfItem(path: "/d/a").size == 1)
            try await files.write("c", to: "/d/c")
            try await files.moveItem(path: "/d/c", to: "/d/e")
            #expect(server.names == ["/d", "/d/a", "/d/b", "/d/e"])
            // All requests have come here, and say so.
            #expect(server.requests.allSatisfy { $0.head.authority?.hasPrefix("127.0.0.1") == true })
            #expect(server.requests.compactMap { $0["Destination"] }.allSatisfy { $0.hasPrefix("http://127.0.0.1:") })
        }
    }

    @Test("are refused, with advice, if they are somebody else's")
    func elsewhere() async throws {
        try await withOddServer { server, files in
            server.change { oddities in
                oddities.refusal = { request in
                    request.method != "PROPFIND"
                        ? nil
                        : LoopbackAnswer(
                            .init(code: 207),
                            text: MultistatusText.multistatus(
                                MultistatusText.response("/dav/", MultistatusText.isFolder)
                                    + MultistatusText.response("http://evil.example/dav/a", "<d:resourcetype/>")
                            )
                        )
                }
            }
            let error = await failure { try await files.contentsOfDirectory(path: "/") }
            #expect((error as? URLError)?.code == .cannotParseResponse)
            #expect(error?.words.contains("another host") == true && error?.words.contains("proxy") == true)
        }
    }
}
