import FerryCore
import FerryMemory
import FerryTestKit
import Foundation
import Synchronization
import Testing

@Suite("Pictures of many files")
struct ManyPicturesTests {
    private static let paths = (0..<20).map { ItemPath.root.appending("\($0).png") }

    @Test(
        "are those of each file, in the order of their paths, several at once, and at most as many as is recommended",
        .timeLimit(.minutes(30))
    )
    func order() async throws {
        let storage = PictureFileProvider(waiting: "/0.png") { path, _ in
            if path == "/4.png" { throw CocoaError.noSuchItem(path) }
        }
        let options = ThumbnailOptions(width: 8)
        let results = try await storage.thumbnailsOfFiles(paths: Self.paths, options: options)
        let names = results.map { (try? $0.get()).map { String(decoding: $0.data, as: UTF8.self) } }
        #expect(names == (0..<20).map { $0 == 4 ? nil : "\($0).png 8" })
        #expect(throws: CocoaError.self) { try results[4].get() }
        #expect(storage.most > 1 && storage.most <= 3)
        #expect(try await storage.thumbnailsOfFiles(paths: [], options: nil).isEmpty)
    }

    @Test("end where the storage can't be reached, and with that error if there is no other result")
    func unreachable() async throws {
        let locked = PictureFileProvider { _, _ in throw URLError(.userAuthenticationRequired) }
        await #expect(throws: URLError(.userAuthenticationRequired)) {
            try await locked.thumbnailsOfFiles(paths: Self.paths, options: nil)
        }
        #expect(locked.asked.count <= 3)
        let lost = PictureFileProvider { path, _ in
            if path != "/0.png" { throw URLError(.cannotConnectToHost) }
        }
        let results = try await lost.thumbnailsOfFiles(paths: Self.paths, options: nil)
        #expect(results.map { (try? $0.get()) != nil } == (0..<20).map { $0 == 0 })
        #expect(throws: URLError(.cannotConnectToHost)) { try results[19].get() }
        #expect(lost.asked.count <= 4)
    }

    @Test("are one call for wrappers, which pass it on")
    func wrappers() async throws {
        let counting = FaultInjectingFileProvider(PictureFileProvider { _, _ in })
        let files = RetryingFileProvider(ReadOnlyFileProvider(counting))
        #expect(try await files.thumbnailsOfFiles(paths: Self.paths, options: nil).count == 20)
        #expect(counting.calls.map(\.method) == [.thumbnailsOfFiles])
        let items = Self.paths.map { FileObject(name: $0.lastName, in: $0.parent, type: .file) }
        let listed = try await files.thumbnailsOfFiles(listed: items, options: nil)
        #expect(listed.map { (try? $0.get()) != nil } == items.map { _ in true })
        #expect(counting.calls.map(\.method) == [.thumbnailsOfFiles, .thumbnailsOfFiles])
    }

    @Test("that a bad line has broken are asked for again, the others are not")
    func retrying() async throws {
        let storage = PictureFileProvider { path, count in
            if path == "/1.png", count < 3 { throw URLError(.networkConnectionLost) }
            if path == "/2.png" { throw CocoaError.noSuchItem(path) }
        }
        let files = RetryingFileProvider(storage, policy: RetryPolicy(firstDelay: .zero))
        let results = try await files.thumbnailsOfFiles(paths: Self.paths, options: nil)
        #expect(results.map { (try? $0.get()) != nil } == (0..<20).map { $0 != 2 })
        #expect(storage.asked.count == 22 && storage.asked.count { $0 == "/1.png" } == 3)
        // In the end the errors are those of the files.
        let broken = PictureFileProvider { path, _ in
            if path == "/1.png" { throw URLError(.networkConnectionLost) }
        }
        let tried = RetryingFileProvider(broken, policy: RetryPolicy(maximumAttempts: 2, firstDelay: .zero))
        let errors = try await tried.thumbnailsOfFiles(paths: Self.paths, options: nil)
        #expect(throws: URLError(.networkConnectionLost)) { try errors[1].get() }
        #expect(broken.asked.count == 21)
    }

    @Test("are not asked for more often than is allowed, whether a try fails as a whole or for some of them")
    func attempts() async throws {
        let lost = URLError(.networkConnectionLost)
        let policy = RetryPolicy(maximumAttempts: 2, firstDelay: .zero)
        for failed in 1...2 {
            let storage = PictureFileProvider { path, _ in
                if path == "/1.png" { throw lost }
            }
            let rule = FaultPlan.Rule(.thumbnailsOfFiles, on: .call(failed), fault: .error(lost))
            let counting = FaultInjectingFileProvider(storage, plan: FaultPlan([rule]))
            let files = RetryingFileProvider(counting, policy: policy)
            let results = try await files.thumbnailsOfFiles(paths: Self.paths, options: nil)
            #expect(results.map { (try? $0.get()) != nil } == (0..<20).map { $0 != 1 })
            #expect(counting.calls.count == 2 && storage.asked.count == 20)
        }
        let plan = FaultPlan([.init(fault: .error(lost))])
        let never = FaultInjectingFileProvider(PictureFileProvider { _, _ in }, plan: plan)
        await #expect(throws: lost) {
            try await RetryingFileProvider(never, policy: policy).thumbnailsOfFiles(paths: Self.paths, options: nil)
        }
        #expect(never.calls.count == 2)
    }

    @Test("are asked for again after the wait that belongs to the last error")
    func causes() async throws {
        let seen = Mutex<[URLError.Code]>([])
        let policy = RetryPolicy(maximumAttempts: 3, firstDelay: .zero) { error in
            if let code = (error as? URLError)?.code { seen.withLock { $0.append(code) } }
            return RetryPolicy.isTransient(error)
        }
        let storage = PictureFileProvider { path, count in
            if path == "/1.png", count == 1 { throw URLError(.networkConnectionLost) }
        }
        // The second try fails as a whole; it is what the third waits for.
        let rule = FaultPlan.Rule(.thumbnailsOfFiles, on: .call(2), fault: .error(URLError(.cannotFindHost)))
        let files = RetryingFileProvider(FaultInjectingFileProvider(storage, plan: FaultPlan([rule])), policy: policy)
        let results = try await files.thumbnailsOfFiles(paths: Self.paths, options: nil)
        #expect(results.allSatisfy { (try? $0.get()) != nil })
        #expect(seen.withLock { $0 } == [.networkConnectionLost, .networkConnectionLost, .cannotFindHost])
    }

    @Test("reach a completion handler with the result of each file")
    func handler() async throws {
        let storage = PictureFileProvider { _, _ in }
        let count = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Int, any Error>) in
            storage.thumbnailsOfFiles(paths: Self.paths) { results, error in
                if let error { return continuation.resume(throwing: error) }
                continuation.resume(returning: results?.count ?? 0)
            }
        }
        #expect(count == 20)
    }
}

/// A storage that makes pictures of all files, whether they exist or not: the name and the width that was wanted.
private final class PictureFileProvider: FileProviderWrapper, ExtendedFileProvider {
    private struct State {
        var asked: [ItemPath] = []
        var running = 0
        var most = 0
    }

    let base = MemoryFileProvider()
    private let waiting: ItemPath?
    private let refusal: @Sendable (ItemPath, Int) throws -> Void
    private let state = Mutex(State())

    /// Makes a storage.
    ///
    /// - Parameters:
    ///   - path: A file whose picture isn't made before another one is asked for at the same time.
    ///   - refusal: Throws the error for a file, by its path and the number of times that it was asked for.
    init(waiting path: ItemPath? = nil, refusal: @escaping @Sendable (ItemPath, Int) throws -> Void) {
        waiting = path
        self.refusal = refusal
    }

    var capabilities: FileProviderCapabilities {
        var capabilities = base.capabilities
        capabilities.recommendedConcurrency = 3
        return capabilities
    }

    /// The files that were asked for.
    var asked: [ItemPath] { state.withLock { $0.asked } }

    /// The number of files that were asked for at the same time at most.
    var most: Int { state.withLock { $0.most } }

    func thumbnailOfFileSupported(path: ItemPath) -> Bool { true }
    func propertiesOfFileSupported(path: ItemPath) -> Bool { false }

    func thumbnailOfFile(path: ItemPath, options: ThumbnailOptions?) async throws -> Thumbnail {
        let count = state.withLock { state in
            state.asked.append(path)
            state.running += 1
            state.most = max(state.most, state.running)
            return state.asked.count { $0 == path }
        }
        defer { state.withLock { $0.running -= 1 } }
        for _ in 0..<10 { await Task.yield() }
        while path == waiting, most < 2 {
            try Task.checkCancellation()
            await Task.yield()
        }
        try refusal(path, count)
        return Thumbnail(data: Data("\(path.lastName) \(options?.width ?? 0)".utf8), contentType: "image/test")
    }

    func propertiesOfFile(path: ItemPath) async throws -> FileProperties {
        throw CocoaError.unsupported("properties", path: path, isPlural: true)
    }
}
