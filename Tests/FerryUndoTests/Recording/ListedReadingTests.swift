import FerryCore
import FerryMemory
import FerryUndo
import Foundation
import Testing

/// A storage whose listings bring what it takes to read.
private struct Listed<Base: FileProviderBasic>: FileProviderWrapper {
    let base: Base
}

extension Listed: FileProviderOperations where Base: FileProviderOperations {}
extension Listed: FileProviderReadWriteProgressive where Base: FileProviderReadWriteProgressive {}

extension Listed: FileProviderListedReading where Base: FileProviderReadWriteProgressive {
    func contentsToRead(path: ItemPath) async throws -> [FileObject] { try await base.contentsOfDirectory(path: path) }

    func contentStream(ofListed file: FileObject) async throws -> FileContentStream {
        try await base.contentStream(path: file.path)
    }
}

@Suite("A listing of files that are to be read")
struct ListedReadingTests {
    private let memory = MemoryFileProvider()

    @Test("shows through undo nothing of what is set aside, as every listing")
    func hidesWhatIsSetAside() async throws {
        try await memory.create(folder: ".ferry-undo", at: .root)
        try await memory.writeContents(path: "/a", contents: Data("x".utf8))
        let files = UndoableFileProvider(Listed(base: memory))
        #expect(try await files.base.contentsToRead(path: .root).count == 2)
        let listed = try await files.contentsToRead(path: .root)
        #expect(listed.map(\.name) == ["a"])
        let stream = try await files.contentStream(ofListed: try #require(listed.first))
        #expect(try await stream.collect() == Data("x".utf8))
    }
}
