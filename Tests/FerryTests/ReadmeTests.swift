import Ferry
import Foundation
import Testing

@Suite("The README")
struct ReadmeTests {
    @Test("shows code that compiles and works: this very code")
    func code() async throws {
        // begin
        let provider = MemoryFileProvider()  // or any other: the rest stays as it is
        try await provider.create(folder: "Reports", at: "/")
        try await provider.writeContents(path: "/Reports/july.txt", contents: Data("All is well.".utf8))
        try await provider.copyItem(path: "/Reports/july.txt", to: "/Reports/august.txt")

        let query = try FileQuery(parsing: "name BEGINSWITH[c] 'JU' AND fileSize > 10")
        for try await item in provider.searchFiles(path: "/", recursive: true, query: query) {
            print(item.path, item.size ?? 0)
        }
        // end
        let found = try await provider.searchFiles(path: "/", recursive: true, query: query, foundItemHandler: nil)
        #expect(found.map(\.path) == ["/Reports/july.txt"])

        let here = URL(filePath: #filePath)
        let source = try String(contentsOf: here, encoding: .utf8)
        let readme = try String(
            contentsOf: here.deletingLastPathComponent().appending(path: "../../README.md"),
            encoding: .utf8
        )
        let shown = try #require(source.split(separator: "        // begin\n").dropFirst().first)
            .split(separator: "        // end\n")[0]
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.hasPrefix("        ") ? $0.dropFirst(8) : $0 }
            .joined(separator: "\n")
        #expect(readme.contains(shown))
    }

    @Test("promises abilities that the providers have")
    func abilities() {
        let memory: any FileProviderBasic = MemoryFileProvider()
        let local: any FileProviderBasic = LocalFileProvider(baseURL: FileManager.default.temporaryDirectory)
        #expect(memory is any FileProvider & FileProviderReadWriteProgressive & FileProviderSymbolicLink)
        #expect(memory is any FileProviderTrash & FileProviderMonitor)
        #expect(memory is any FileProviderChangeTracking & FileProviderVersioning)
        #expect(local is any FileProvider & FileProviderReadWriteProgressive & FileProviderSymbolicLink)
        #expect(local is any FileProviderTrash & FileProviderChangeTracking)
        #expect(!(local is any FileProviderMonitor) && !(local is any FileProviderVersioning))
        for provider in [memory, local] {
            #expect(!(provider is any FileProviderUndoable) && !(provider is any FileProviderSharing))
        }
    }
}
