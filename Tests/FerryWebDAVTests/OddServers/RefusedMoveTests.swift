import FerryCore
import FerryTestServers
import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import FerryWebDAV

/// Issue 24: nothing could be uploaded behind a proxy that does not rewrite `Destination`.
@Suite("Where MOVE is refused")
struct RefusedMoveTests {
    @Test("new files are written in place, and looked at", arguments: [502, 405, 501, 400, 403])
    func newFiles(status: Int) async throws {
        try await withOddServer { server, files in
            server.change { $0.moveStatus = status }
            #expect(!files.capabilities.writesAtomically)
            try await files.write("first", to: "/a")
            #expect(!files.capabilities.writesAtomically, "it is known now")
            server.forget()
            try await files.write("second", to: "/b")
            #expect(server.names == ["/a", "/b"] && server.text("/a") == "first" && server.text("/b") == "second")
            #expect(!server.methods.contains("MOVE") && server.methods.count { $0 == "PUT" } == 1)
        }
    }

    @Test("an existing file stays, and the error says what a proxy has to do", arguments: [502, 405, 501, 400, 403])
    func existingFile(status: Int) async throws {
        try await withOddServer { server, files in
            server.plant(["/a": "old"])
            server.change { $0.moveStatus = status }
            for _ in 0..<2 {
                let error = await failure { try await files.write("new", to: "/a", overwrite: true) }
                let advice = (error as NSError?)?.localizedRecoverySuggestion ?? ""
                #expect(
                    error?.words.contains("refuses MOVE") == true && advice.contains("Destination"),
                    "\(error?.words ?? "")"
                )
                #expect(error is CocoaError)
            }
            let error = await failure { try await files.write("new", to: "/a") }
            #expect((error as? CocoaError)?.code == .fileWriteFileExists)
            #expect(server.names == ["/a"] && server.text("/a") == "old")
        }
    }

    @Test("what breaks off in place is told beforehand, and removed")
    func broken() async throws {
        try await withOddServer { server, files in
            server.change { $0.moveStatus = 502 }
            try await files.write("first", to: "/a")
            let told = Mutex<[PartialWrite]>([])
            let listener = InPlaceWriting { write in told.withLock { $0.append(write) } }
            server.change { oddities in
                // The size that is listed is not that of what was sent.
                oddities.refusal = { request in
                    request.method == "PUT" && request.path == "/b" ? LoopbackAnswer(.init(code: 507)) : nil
                }
            }
            let error = await OperationContext.with(\.inPlaceWriting, listener) {
                await failure { try await files.write("second", to: "/b") }
            }
            #expect((error as? CocoaError)?.code == .fileWriteOutOfSpace)
            #expect(told.withLock { $0.map(\.path) } == ["/b"] && told.withLock { $0.allSatisfy(\.isInPlace) })
            #expect(server.names == ["/a"])
        }
    }

    @Test("is found by trying, and kept with the server")
    func probe() async throws {
        try await withOddServer { server, files in
            server.change { $0.moveStatus = 502 }
            try await files.discover()
            #expect(files.configuration.options["tried"]?.contains("refuses-moves=yes") == true)
            #expect(server.names.isEmpty)
        }
    }

    @Test("and OPTIONS too, files are written", arguments: [500, 401, 405])
    func options(status: Int) async throws {
        try await withOddServer { server, files in
            server.change { $0.optionsStatus = status }
            try await files.write("a", to: "/a")
            #expect(server.text("/a") == "a")
        }
    }
}
