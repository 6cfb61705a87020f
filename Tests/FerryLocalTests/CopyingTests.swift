import FerryCore
import FerryTestKit
import Foundation
import Synchronization
import Testing

@testable import FerryLocal

@Suite("Copies are like their originals")
struct CopyingTests {
    @Test("holes stay holes")
    func sparse() async throws {
        let folder = try TemporaryFolder()
        let file = open(folder.path("sparse"), O_CREAT | O_WRONLY, 0o644)
        pwrite(file, "begin", 5, 0)
        pwrite(file, "middle", 6, 40 << 20)
        ftruncate(file, 100 << 20)
        close(file)
        try await folder.provider().copyItem(path: "/sparse", to: "/copy")
        let copy = try folder.status("copy")
        #expect(copy.size == 100 << 20)
        #expect(copy.allocatedSize < 1 << 20)
        #expect(FileManager.default.contentsEqual(atPath: folder.path("sparse"), andPath: folder.path("copy")))
    }

    @Test("files of any size arrive whole", arguments: [0, 1, 4096, 262_143, 262_144, 262_145, (16 << 20) + 1])
    func sizes(size: Int) async throws {
        let folder = try TemporaryFolder()
        let bytes = Data.seeded(size)
        try bytes.write(to: URL(filePath: folder.path("file")))
        let progress = Progress(totalUnitCount: -1)
        try await folder.provider().copyItem(path: "/file", to: "/copy", overwrite: false, reporting: progress)
        #expect(try Data(contentsOf: URL(filePath: folder.path("copy"))) == bytes)
        #expect(progress.completedUnitCount == max(1, size))
        #expect(progress.totalUnitCount == max(1, size))
    }

    @Test("every way of copying content gives the same", arguments: [true, false])
    func methods(copiesRanges: Bool) throws {
        let folder = try TemporaryFolder()
        let bytes = Data.seeded(3 << 20)
        try bytes.write(to: URL(filePath: folder.path("file")))
        let methods = CopyMethods()
        methods.mayClone = false
        methods.mayCopyRanges = copiesRanges
        let place = try BaseFolder(path: folder.path()).folder()
        let source = try place.open("file", O_RDONLY)
        let target = try place.open("copy", O_RDWR | O_CREAT, mode: 0o644)
        try ContentCopier(job: Job(), methods: methods).copy(source, source.status(), to: target, path: "/file")
        #expect(try Data(contentsOf: URL(filePath: folder.path("copy"))) == bytes)
    }

    @Test("files that say they are empty, and are not, are read to their end")
    func procFiles() async throws {
        let folder = try TemporaryFolder()
        let machine = LocalFileProvider(baseURL: URL(filePath: "/"))
        let target = try ItemPath(parsing: folder.path("mounts"))
        try await machine.copyItem(path: "/proc/version", to: target)
        #expect(try folder.read("mounts") == String(contentsOfFile: "/proc/version", encoding: .utf8))
        #expect(try await machine.contents(path: "/proc/version") == Data(folder.read("mounts")!.utf8))
    }

    @Test("names of one file stay names of one file")
    func hardLinks() async throws {
        let folder = try TemporaryFolder()
        try folder.write("text", to: "tree/a/one")
        try folder.makeFolder("tree/b")
        link(folder.path("tree/a/one"), folder.path("tree/b/two"))
        link(folder.path("tree/a/one"), folder.path("tree/three"))
        try await folder.provider().copyItem(path: "/tree", to: "/copy")
        let one = try folder.status("copy/a/one")
        #expect(one.linkCount == 3)
        #expect(try folder.status("copy/b/two").identity == one.identity)
        #expect(try folder.status("copy/three").identity == one.identity)
        #expect(try folder.status("tree/a/one").identity != one.identity)
    }

    @Test("pipes and sockets are made anew, not read")
    func specialFiles() async throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("tree")
        mkfifo(folder.path("tree/pipe"), 0o640)
        try await folder.provider().copyItem(path: "/tree", to: "/copy")
        #expect(try folder.status("copy/pipe").mode == S_IFIFO | 0o640)
        try await folder.provider().copyItem(path: "/tree/pipe", to: "/pipe")
        #expect(try folder.status("pipe").mode == S_IFIFO | 0o640)
        await expect(.fileReadUnknown) { _ = try await folder.provider().contents(path: "/pipe") }
        await expect(.fileWriteUnknown) {
            try await folder.provider().writeContents(path: "/pipe", contents: Data(), overwrite: true)
        }
        #expect(try folder.status("pipe").format == S_IFIFO)
    }

    @Test("a tree of 5,000 levels is copied, moved and removed with few open files")
    func deepTree() async throws {
        let folder = try TemporaryFolder()
        try folder.makeDeepTree("deep", levels: 5_000)
        let provider = folder.provider()
        try await provider.copyItem(path: "/deep", to: "/copy")
        #expect(try folder.depth(of: "copy") == 5_000)
        try await provider.copyItem(path: "/deep", to: "/copy", overwrite: true)
        try folder.makeDeepTree("other", levels: 4_000)
        try await provider.moveItem(path: "/other", to: "/copy", overwrite: true)
        try await provider.removeItem(path: "/copy")
        try await provider.removeItem(path: "/deep")
        #expect(try folder.names() == [])
    }

    // MARK: - Onto what exists

    @Test("a folder is merged into a folder: files are replaced, others stay")
    func merges() async throws {
        let folder = try TemporaryFolder()
        try folder.write("new", to: "a/same")
        try folder.write("new", to: "a/sub/same")
        try folder.write("new", to: "a/sub/more")
        try folder.write("new", to: "a/fresh/file")
        try folder.write("old", to: "b/same")
        try folder.write("old", to: "b/sub/same")
        try folder.write("old", to: "b/sub/kept")
        let provider = folder.provider()
        await expect(.fileWriteFileExists) { try await provider.copyItem(path: "/a", to: "/b") }
        #expect(folder.read("b/same") == "old")
        try await provider.copyItem(path: "/a", to: "/b", overwrite: true)
        #expect(
            try folder.names("b") == ["fresh", "fresh/file", "same", "sub", "sub/kept", "sub/more", "sub/same"]
        )
        #expect(folder.read("b/same") == "new")
        #expect(folder.read("b/sub/same") == "new")
        #expect(folder.read("b/sub/kept") == "old")
    }

    @Test("a file never replaces a folder, nor a folder a file", arguments: [false, true])
    func kinds(overwrite: Bool) async throws {
        let folder = try TemporaryFolder()
        try folder.write("file", to: "file")
        try folder.write("inner", to: "folder/inner")
        try folder.write("1", to: "a/x")
        try folder.write("2", to: "b/x/y")
        try folder.link("link", to: "folder")
        let provider = folder.provider()
        for (source, target) in [("/file", "/folder"), ("/folder", "/file"), ("/folder", "/link"), ("/a", "/b")] {
            let (source, target) = (try ItemPath(parsing: source), try ItemPath(parsing: target))
            await expect(.fileWriteFileExists) {
                try await provider.copyItem(path: source, to: target, overwrite: overwrite)
            }
            await expect(.fileWriteFileExists) {
                try await provider.moveItem(path: source, to: target, overwrite: overwrite)
            }
        }
        #expect(try folder.names() == ["a", "a/x", "b", "b/x", "b/x/y", "file", "folder", "folder/inner", "link"])
    }

    @Test("onto itself and into itself is refused, whatever the paths are", arguments: [false, true])
    func ontoItself(overwrite: Bool) async throws {
        let folder = try TemporaryFolder()
        try folder.write("text", to: "folder/sub/file")
        try folder.link("alias", to: "folder")
        link(folder.path("folder/sub/file"), folder.path("hard"))
        let before = try folder.names()
        let provider = folder.provider()
        let same: [(ItemPath, ItemPath)] = [
            ("/folder", "/folder"), ("/folder/sub/file", "/folder/sub/file"), ("/folder/sub", "/alias/sub"),
            ("/alias/sub/file", "/folder/sub/file"), ("/hard", "/folder/sub/file"),
        ]
        for (source, target) in same {
            await expect(.fileWriteFileExists) {
                try await provider.copyItem(path: source, to: target, overwrite: overwrite)
            }
            await expect(.fileWriteFileExists) {
                try await provider.moveItem(path: source, to: target, overwrite: overwrite)
            }
        }
        for target: ItemPath in ["/folder/new", "/folder/sub/new", "/alias/sub/new"] {
            await expect(.fileWriteInvalidFileName) {
                try await provider.copyItem(path: "/folder", to: target, overwrite: overwrite)
            }
            await expect(.fileWriteInvalidFileName) {
                try await provider.moveItem(path: "/folder", to: target, overwrite: overwrite)
            }
        }
        #expect(try folder.names() == before)
        #expect(folder.read("hard") == "text")
    }

    @Test("a missing source, and a missing folder of the target, are named")
    func missing() async throws {
        let folder = try TemporaryFolder()
        try folder.write("text", to: "file")
        let provider = folder.provider()
        for (source, target, missing) in [
            ("/gone", "/x", "/gone"), ("/file", "/no/x", "/no"), ("/file/x", "/y", "/file/x"),
        ] {
            let (source, target) = (try ItemPath(parsing: source), try ItemPath(parsing: target))
            for isMove in [false, true] {
                let error = await #expect(throws: CocoaError.self) {
                    if isMove {
                        try await provider.moveItem(path: source, to: target)
                    } else {
                        try await provider.copyItem(path: source, to: target)
                    }
                }
                #expect(error?.code == .fileNoSuchFile)
                #expect(error?.userInfo[NSFilePathErrorKey] as? String == missing)
            }
        }
    }

    // MARK: - Ending early

    @Test("a cancelled copy leaves nothing")
    func cancelled() async throws {
        let folder = try TemporaryFolder()
        for index in 0..<2_000 { try folder.write("\(index)", to: "tree/d\(index % 20)/f\(index)") }
        let provider = folder.provider()
        let before = try folder.names()
        let progress = Progress(totalUnitCount: -1)
        progress.cancel()
        await #expect(throws: CancellationError.self) {
            try await provider.copyItem(path: "/tree", to: "/copy", overwrite: false, reporting: progress)
        }
        let seen = Atomic(0)
        let task = Task {
            try await provider.copyItem(
                path: "/tree",
                to: "/copy",
                overwrite: false,
                reporting: nil,
                shouldCopy: { _ in
                    seen.add(1, ordering: .relaxed)
                    return true
                },
                onError: nil
            )
        }
        while seen.load(ordering: .relaxed) < 100 { await Task.yield() }
        task.cancel()
        let result = await task.result
        if case .failure(let error) = result {
            #expect(error is CancellationError)
            #expect(try folder.names() == before)
        }
    }

    @Test("while its progress is paused a copy waits, between two files at the latest")
    func pausing() async throws {
        let folder = try TemporaryFolder()
        for name in ["a", "b"] {
            for index in 0..<100 { try folder.write("\(index)", to: "tree/\(name)/f\(index)") }
        }
        let progress = Progress(totalUnitCount: -1)
        let diary = Mutex<[String]>([])
        try await folder.provider().copyItem(
            path: "/tree",
            to: "/copy",
            overwrite: false,
            reporting: progress,
            shouldCopy: { path in
                let isFirst = diary.withLock { diary in
                    diary.append(path.parent.lastName)
                    return diary.count { $0 == "a" || $0 == "b" } == 1
                }
                guard isFirst else { return true }
                progress.pause()
                // From here on only somebody else can let it go on; that takes a while, and the other folder may not begin.
                DispatchQueue.global().asyncAfter(deadline: .now() + 0.1) {
                    diary.withLock { $0.append("resume") }
                    progress.resume()
                }
                return true
            },
            onError: nil
        )
        let folders = diary.withLock { $0 }.filter { ["a", "b", "resume"].contains($0) }
        let first = try #require(folders.first)
        let resumed = try #require(folders.firstIndex(of: "resume"))
        #expect(folders[..<resumed].allSatisfy { $0 == first }, "the other folder was begun in the pause")
        #expect(folders.count == 201)
        #expect(try folder.names("copy").count == 202)
    }

    @Test("a paused copy can be cancelled")
    func cancellingPaused() async throws {
        let folder = try TemporaryFolder()
        try folder.write("x", to: "tree/a/x")
        let before = try folder.names()
        let provider = folder.provider()
        let progress = Progress(totalUnitCount: -1)
        progress.pause()
        let task = Task {
            try await provider.copyItem(path: "/tree", to: "/copy", overwrite: false, reporting: progress)
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try folder.names() == before)
    }

    @Test("one bad item ends the copy and leaves nothing, unless the caller goes on")
    func errors() async throws {
        let folder = try TemporaryFolder()
        for index in 0..<100 { try folder.write("\(index)", to: "tree/sub/f\(index)") }
        // As root everything can be read: what can't be copied is what changes meanwhile.
        try folder.write("x", to: "tree/sub/bad")
        let provider = folder.provider()
        let replace: @Sendable (ItemPath) -> Bool = { path in
            if path == "/tree/sub/bad" {
                unlink(folder.path("tree/sub/bad"))
                mkfifo(folder.path("tree/sub/bad"), 0o600)
            }
            return true
        }
        await expect(.fileReadUnknown) {
            try await provider.copyItem(
                path: "/tree",
                to: "/copy",
                overwrite: false,
                reporting: nil,
                shouldCopy: replace,
                onError: nil
            )
        }
        #expect(try folder.names().filter { !$0.hasPrefix("tree") } == [])
        unlink(folder.path("tree/sub/bad"))
        try folder.write("x", to: "tree/sub/bad")
        let failed = Mutex<[ItemPath]>([])
        try await provider.copyItem(
            path: "/tree",
            to: "/copy",
            overwrite: false,
            reporting: nil,
            shouldCopy: replace,
            onError: { path, _ in
                failed.withLock { $0.append(path) }
                return true
            }
        )
        #expect(failed.withLock { $0 } == ["/tree/sub/bad"])
        #expect(try folder.names("copy").count == 101)
    }

    @Test("what is not wanted is left out, with all below it")
    func leavesOut() async throws {
        let folder = try TemporaryFolder()
        try folder.write("1", to: "tree/a/x")
        try folder.write("2", to: "tree/b/y")
        try await folder.provider().copyItem(
            path: "/tree",
            to: "/copy",
            overwrite: false,
            reporting: nil,
            shouldCopy: { $0 != "/tree/a" },
            onError: nil
        )
        #expect(try folder.names("copy") == ["b", "b/y"])
    }

    @Test("progress of a tree ends at its total and never goes back")
    func progress() async throws {
        let folder = try TemporaryFolder()
        for index in 0..<50 {
            try folder.write(String(repeating: "x", count: 1 << 17), to: "tree/d\(index % 5)/f\(index)")
        }
        let progress = Progress(totalUnitCount: -1)
        try await folder.provider().copyItem(path: "/tree", to: "/copy", overwrite: false, reporting: progress)
        #expect(progress.totalUnitCount == 50 << 17)
        #expect(progress.completedUnitCount == 50 << 17)
    }
}
