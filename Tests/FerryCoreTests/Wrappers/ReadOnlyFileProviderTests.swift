import FerryCore
import FerryMemory
import Foundation
import Testing

@Suite("A read-only provider")
struct ReadOnlyFileProviderTests {
    @Test("reads what is there, and refuses every change")
    func refuses() async throws {
        let memory = MemoryFileProvider()
        try await memory.writeContents(path: "/a", contents: Data("x".utf8))
        let anchor = try await memory.currentAnchor()
        let provider = ReadOnlyFileProvider(memory)
        #expect(try await provider.contents(path: "/a") == Data("x".utf8))
        #expect(provider.capabilities.isReadOnly)
        let changes: [@Sendable () async throws -> Void] = [
            { try await provider.create(folder: "b", at: "/") },
            { try await provider.moveItem(path: "/a", to: "/b") },
            { try await provider.copyItem(path: "/a", to: "/b") },
            { try await provider.removeItem(path: "/a") },
            { try await provider.writeContents(path: "/a", contents: Data(), overwrite: true) },
            { try await provider.writeStream(path: "/b", contents: DataChunks(Data())) },
            { try await provider.create(symbolicLink: "/b", withDestination: "a") },
            { try await provider.trashItem(path: "/a") },
            { try await provider.emptyTrash(nil) },
        ]
        for change in changes {
            let error = await #expect(throws: CocoaError.self) { try await change() }
            #expect(error?.code == .fileWriteVolumeReadOnly)
        }
        #expect(try await memory.changes(since: anchor).changes.isEmpty)
    }
}
