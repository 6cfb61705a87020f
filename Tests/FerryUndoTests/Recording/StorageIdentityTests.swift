import FerryCore
import FerryMemory
import FerryUndo
import Testing

@Suite("The identity of a storage")
struct StorageIdentityTests {
    private let memory = MemoryFileProvider()

    @Test("is the same through all wrappers, and that of no other storage")
    func identity() {
        let wrapped = UndoableFileProvider(RetryingFileProvider(ReadOnlyFileProvider(memory)))
        #expect(wrapped.storageIdentity == memory.storageIdentity)
        #expect(ReadOnlyFileProvider(memory).storageIdentity == wrapped.storageIdentity)
        #expect(wrapped.storageIdentity != MemoryFileProvider().storageIdentity)
    }

    @Test("is not what it takes to leave out recording: other wrappers stay")
    func withoutRecording() {
        let recorded: any FileProviderBasic = UndoableFileProvider(ReadOnlyFileProvider(memory)).withoutRecording
        #expect(recorded is ReadOnlyFileProvider<MemoryFileProvider>)
        let other: any FileProviderBasic = ReadOnlyFileProvider(memory).withoutRecording
        #expect(other is ReadOnlyFileProvider<MemoryFileProvider>)
    }
}
