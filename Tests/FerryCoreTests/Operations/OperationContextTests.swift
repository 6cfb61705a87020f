import FerryCore
import FerryMemory
import Foundation
import Synchronization
import Testing

/// A wrapper that notes which items were known when it was called.
private final class NotingFileProvider<Base: FileProviderBasic>: FileProviderWrapper {
    let base: Base
    let known = Mutex<[ItemPath]>([])

    init(_ base: Base) {
        self.base = base
    }

    func pass<Result: Sendable>(
        _ call: FileProviderCall,
        _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        known.withLock { $0 += OperationContext.current.seenItems.map { Array($0.items.keys) } ?? [] }
        return try await body()
    }
}

@Suite("Facts that are passed down to operations")
struct OperationContextTests {
    private let files = ComingFiles { [] }
    private let seen = SeenItems([FileObject(path: "/a", type: .file)], date: Date())

    @Test("are none at first")
    func empty() {
        let context = OperationContext.current
        #expect(context.seenItems == nil && context.comingFiles == nil && context.undoGroup == nil)
        #expect(context.overloadListener == nil && context.temporaryOwner == nil && context.inPlaceWriting == nil)
    }

    @Test("are set one by one: the others stay, and end with what set them")
    func nesting() async throws {
        let owner = try #require(TemporaryOwner(work: "0123ab", run: 1))
        await OperationContext.with(\.temporaryOwner, owner) {
            await OperationContext.with(\.comingFiles, files) {
                #expect(OperationContext.current.temporaryOwner == owner)
                #expect(OperationContext.current.comingFiles === files)
                await OperationContext.with(\.temporaryOwner, nil) {
                    #expect(OperationContext.current.temporaryOwner == nil)
                    #expect(OperationContext.current.comingFiles === files)
                }
                #expect(OperationContext.current.temporaryOwner == owner)
            }
            #expect(OperationContext.current.temporaryOwner == owner)
            #expect(OperationContext.current.comingFiles == nil)
        }
        #expect(OperationContext.current.temporaryOwner == nil)
    }

    @Test("end with what set them after an error, too, which is thrown on")
    func failing() async {
        await #expect(throws: CancellationError.self) {
            try await OperationContext.with(\.seenItems, seen) { throw CancellationError() }
        }
        #expect(OperationContext.current.seenItems == nil)
    }

    @Test("reach child tasks and tasks that belong to the work, but not detached ones")
    func tasks() async {
        let overloads = Mutex(0)
        let listener = OverloadListener { overloads.withLock { $0 += 1 } }
        await OperationContext.with(\.overloadListener, listener) {
            async let child: Void? = OperationContext.current.overloadListener?.heard()
            await withTaskGroup { group in
                for _ in 0..<3 { group.addTask { OperationContext.current.overloadListener?.heard() } }
            }
            #expect(await child != nil)
            await Task { OperationContext.current.overloadListener?.heard() }.value
            #expect(await Task.detached { OperationContext.current.overloadListener == nil }.value)
        }
        #expect(overloads.withLock { $0 } == 5)
    }

    @Test("pass through wrappers that know nothing of them")
    func wrappers() async throws {
        let noting = NotingFileProvider(MemoryFileProvider())
        let wrapped = ReadOnlyFileProvider(RetryingFileProvider(noting))
        _ = try await OperationContext.with(\.seenItems, seen) { try await wrapped.attributesOfItem(path: "/") }
        #expect(noting.known.withLock { $0 } == ["/a"])
    }

    @Test("are the only task-local values of the package")
    func onlyOne() throws {
        var folder = URL(filePath: #filePath)
        for _ in 0..<4 { folder.deleteLastPathComponent() }
        folder.append(path: "Sources")
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        var count = 0
        var found: [String] = []
        for case let file as URL in files where file.pathExtension == "swift" {
            count += 1
            guard try String(contentsOf: file, encoding: .utf8).contains("TaskLocal") else { continue }
            found.append(String(file.path.dropFirst(folder.path.count + 1)))
        }
        #expect(found == ["FerryCore/Operations/OperationContext.swift"])
        #expect(count > 500)
    }
}
