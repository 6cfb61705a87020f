import FerryCore
import FerryMemory
import FerryTestKit
import Foundation
import Synchronization
import Testing

@testable import FerryCache

@Suite("Pictures step by step")
struct ImageTests {
    typealias Storage = FaultInjectingFileProvider<PicturingFileProvider<MemoryFileProvider>>

    let memory = MemoryFileProvider()
    let storage: Storage
    let files: CachedFileProvider<Storage>
    let picture = Pixmap(width: 40, height: 20, seed: 1)

    init() async throws {
        storage = Storage(PicturingFileProvider(memory))
        files = CachedFileProvider(storage, store: CacheStore(at: nil))
        try await memory.writeContents(path: "/a.ppm", contents: picture.data)
    }

    private func steps(_ steps: ImageSteps) async throws -> [ImageStep] {
        try await steps.reduce(into: []) { $0.append($1) }
    }

    private func thumbnail(_ options: ThumbnailOptions) -> Thumbnail { picture.scaled(options).thumbnail }

    @Test("come whole where nothing is kept")
    func whole() async throws {
        let steps = try await steps(files.image(path: "/a.ppm"))
        #expect(steps.map(\.data) == [picture.data] && steps.map(\.isFull) == [true])
    }

    @Test("come after the best thumbnail that is kept, or the one that was wanted, or none")
    func previews() async throws {
        let ways = [
            ThumbnailOptions(width: 4), ThumbnailOptions(width: 20),
            ThumbnailOptions(width: 30, height: 30, mode: .fill),
        ]
        for way in ways { _ = try await files.thumbnail(path: "/a.ppm", properties: way) }
        for (preview, expected) in [
            (ImagePreview.none, nil), (.memoryOnly, ways[1]), (.diskAllowed, ways[1]), (.specific(ways[2]), ways[2]),
            (.specific(ThumbnailOptions(width: 5)), nil),
        ] {
            let steps = try await steps(files.image(path: "/a.ppm", preview: preview))
            #expect(steps.last?.data == picture.data && steps.last?.isFull == true)
            let shown = steps.dropLast().compactMap { step -> Thumbnail? in
                guard case .preview(let thumbnail) = step else { return nil }
                return thumbnail
            }
            #expect(shown == expected.map { [thumbnail($0)] } ?? [], "\(preview)")
        }
        #expect(storage.count(of: .thumbnailOfFile) == 3, "a preview is no question to the storage")
    }

    @Test("come without what only the disk has, where only what is in memory is wanted")
    func inMemory() async throws {
        try await StoreFolder.with { folder in
            let first = CachedFileProvider(storage, store: folder.store(), account: .test)
            _ = try await first.thumbnail(path: "/a.ppm")
            #expect(try await steps(first.image(path: "/a.ppm", preview: .memoryOnly)).count == 2)
            // As another process has it: on the disk.
            let second = CachedFileProvider(storage, store: folder.store(), account: .test)
            #expect(try await steps(second.image(path: "/a.ppm", preview: .memoryOnly)).count == 1)
            #expect(try await steps(second.image(path: "/a.ppm", preview: .diskAllowed)).count == 2)
        }
    }

    @Test("come without a preview that is known to be outdated")
    func outdated() async throws {
        _ = try await files.thumbnail(path: "/a.ppm")
        let other = Pixmap(width: 40, height: 20, seed: 8)
        try await memory.writeContents(path: "/a.ppm", contents: other.data, overwrite: true)
        _ = try await files.withCaching(.doNotReturnCachedResult).attributesOfItem(path: "/a.ppm")
        for preview in [ImagePreview.diskAllowed, .memoryOnly, .specific(ThumbnailOptions())] {
            #expect(try await steps(files.image(path: "/a.ppm", preview: preview)).map(\.data) == [other.data])
        }
    }

    @Test("come without a preview where the options allow nothing that was kept")
    func options() async throws {
        _ = try await files.thumbnail(path: "/a.ppm")
        for options in [CachingOptions.ignoreCache, .doNotReturnCachedResult, .disableCache] {
            #expect(try await steps(files.withCaching(options).image(path: "/a.ppm")).map(\.isFull) == [true])
        }
    }

    @Test("show the preview before an error")
    func failing() async throws {
        _ = try await files.thumbnail(path: "/a.ppm")
        storage.plan = FaultPlan([
            .init(.contents, .contentStream, .attributesOfItem, fault: .error(URLError(.timedOut)))
        ])
        var shown = 0
        await #expect(throws: URLError.self) {
            for try await step in files.image(path: "/a.ppm") where !step.isFull { shown += 1 }
        }
        #expect(shown == 1)
    }

    @Test("come to a handler in the same order: the preview, then the picture or the error, which is the last call")
    func handler() async throws {
        _ = try await files.thumbnail(path: "/a.ppm")
        #expect(await handled() == ["preview", "full"])
        await files.removeThumbnails(of: "/a.ppm")
        #expect(await handled() == ["full"])
        _ = try await files.thumbnail(path: "/a.ppm")
        storage.plan = FaultPlan([
            .init(.contents, .contentStream, .attributesOfItem, fault: .error(URLError(.timedOut)))
        ])
        #expect(await handled() == ["preview", "error"])
    }

    private func handled() async -> [String] {
        let (calls, continuation) = AsyncStream.makeStream(of: String.self)
        let progress = files.image(path: "/a.ppm") { step, error in
            continuation.yield(error != nil ? "error" : step?.isFull == true ? "full" : "preview")
            if error != nil || step?.isFull == true { continuation.finish() }
        }
        let all = await calls.reduce(into: []) { $0.append($1) }
        #expect(progress.isFinished == (all.last == "full"))
        return all
    }
}
