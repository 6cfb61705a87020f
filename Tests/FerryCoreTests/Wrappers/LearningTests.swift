import FerryCore
import FerryMemory
import Foundation
import Synchronization
import Testing

/// A storage that finds out what it can do when it is asked to.
private final class Learner: FileProviderWrapper, FileProviderLearning {
    let base = MemoryFileProvider()
    let questions = Mutex(0)

    func learnAboutServer() async throws { questions.withLock { $0 += 1 } }

    func attributesOfItem(path: ItemPath) async throws -> FileObject {
        var item = try await base.attributesOfItem(path: path)
        item.isFresh = questions.withLock { $0 } == 0
        if !item.isFresh { item.eTag = "proven" }
        return item
    }
}

/// A wrapper as other packages write it: it can't pass on what only this package knows.
private struct Foreign: FileProviderWrapper {
    let base: Learner
}

@Suite("A storage that finds out what its server can do")
struct LearningTests {
    @Test("is asked through wrappers that don't know of it")
    func asksThroughWrappers() async throws {
        let learner = Learner()
        try await learner.base.writeContents(path: "/a", contents: Data("x".utf8))
        let item = try await Foreign(base: learner).attributesOfItem(path: "/a")
        #expect(try await Foreign(base: learner).withProvenVersion(item).eTag == "proven")
        #expect(learner.questions.withLock { $0 } == 1)
    }

    @Test("and one that knows at once is not")
    func asksNobody() async throws {
        let memory = MemoryFileProvider()
        try await memory.writeContents(path: "/a", contents: Data("x".utf8))
        var item = try await memory.attributesOfItem(path: "/a")
        item.isFresh = true
        #expect(try await memory.withProvenVersion(item) == item)
        try await memory.learnIfNeeded()
    }
}
