import FerryCore
import Foundation
import Testing

@testable import FerryLocal

@Suite("Moving to another disk removes only what is there")
struct MovingTests {
    @Test(
        "moving to another file system copies everything and then removes",
        .enabled(if: MountedFileSystem.isPossible, "mounting needs root")
    )
    func moveAcross() async throws {
        let folder = try TemporaryFolder()
        let disk = try MountedFileSystem(folder, options: "size=10m")
        defer { disk.unmount() }
        try folder.write("1", to: "tree/a")
        try folder.write("2", to: "tree/sub/b")
        try folder.write("old", to: "disk/merged/sub/b")
        try folder.write("kept", to: "disk/merged/kept")
        // A move never removes what is younger than its copy.
        for path in ["tree/a", "tree/sub/b"] {
            setDate(timespec(tv_sec: 1_000_000_000, tv_nsec: 0), of: folder.path(path))
        }
        let provider = folder.provider()
        try await provider.moveItem(path: "/tree", to: "/disk/tree")
        #expect(try folder.names("disk/tree") == ["a", "sub", "sub/b"])
        #expect(try !folder.names().contains("tree"))
        try await provider.moveItem(path: "/disk/tree", to: "/tree")
        try await provider.moveItem(path: "/tree", to: "/disk/merged", overwrite: true)
        #expect(folder.read("disk/merged/sub/b") == "2")
        #expect(folder.read("disk/merged/kept") == "kept")
        #expect(folder.read("disk/merged/a") == "1")
        #expect(try folder.names().allSatisfy { $0.hasPrefix("disk") })
        // Names of one file stay that, and dates to come don't look like changes of just now.
        try folder.write("3", to: "more/a")
        #expect(link(folder.path("more/a"), folder.path("more/b")) == 0)
        try folder.write("4", to: "more/c")
        setDate(timespec(tv_sec: 4_000_000_000, tv_nsec: 0), of: folder.path("more/c"))
        try await provider.moveItem(path: "/more", to: "/disk/more")
        #expect(try folder.names().allSatisfy { $0.hasPrefix("disk") })
        #expect(try folder.status("disk/more/a").identity == folder.status("disk/more/b").identity)
        #expect(try await provider.isOnOtherDisk("/disk/more/a", than: "/"))
        #expect(try await !provider.isOnOtherDisk("/disk/more/a", than: "/disk/merged"))
    }

    @Test("of what was copied to another disk nothing is removed that isn't in the copy as it is")
    func changedSinceCopied() async throws {
        let folder = try TemporaryFolder()
        let provider = folder.provider()
        let names = ["a", "b", "c", "d/e", "d/same", "gone", "short", "touched", "linked", "empty/x"]
        for name in names { try folder.write("old", to: "tree/" + name) }
        #expect(link(folder.path("tree/c"), folder.path("tree/d/f")) == 0)
        #expect(link(folder.path("tree/linked"), folder.path("tree/d/linked")) == 0)
        for (name, goal) in [("link", "a"), ("other", "a")] { #expect(symlink(goal, folder.path("tree/" + name)) == 0) }
        #expect(mkfifo(folder.path("tree/pipe"), 0o600) == 0)
        try folder.write("old", to: "from/elsewhere/f")
        try await provider.copyItem(path: "/tree", to: "/copy")
        try await Task.sleep(for: .milliseconds(30))
        let copied = Date()
        try await Task.sleep(for: .milliseconds(30))
        try folder.write("new", to: "tree/b")
        try folder.write("new", to: "tree/d/f")
        // One that looks as before, but is another.
        let date = try folder.status("tree/a").modified
        try FileManager.default.removeItem(atPath: folder.path("tree/a"))
        try folder.write("two", to: "tree/a")
        setDate(date, of: folder.path("tree/a"))
        #expect(chmod(folder.path("tree/touched"), 0o640) == 0)
        // Items that have come since, however old they are.
        #expect(rename(folder.path("from/elsewhere"), folder.path("tree/d/elsewhere")) == 0)
        #expect(unlink(folder.path("tree/other")) == 0 && symlink("b", folder.path("tree/other")) == 0)
        // Items that the copy has lost.
        #expect(unlink(folder.path("copy/gone")) == 0 && truncate(folder.path("copy/short"), 2) == 0)
        for _ in 0..<2 {
            let error = await #expect(throws: CocoaError.self) {
                try await provider.removeOriginal(path: "/tree", copiedTo: "/copy", since: copied)
            }
            #expect(error?.localizedDescription.contains("it has changed since it was copied, and stays") == true)
            let left = [
                "a", "b", "c", "d", "d/elsewhere", "d/elsewhere/f", "d/f", "gone", "other", "short",
            ]
            #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path("tree")).sorted() == left)
        }
        #expect(folder.read("tree/b") == "new" && folder.read("tree/d/f") == "new" && folder.read("tree/a") == "two")
        #expect(folder.read("copy/touched") == "old" && folder.read("copy/linked") == "old")
    }

    @Test("what another has put in the place of what was copied is not removed, though the copy is the same")
    func otherOriginal() throws {
        let folder = try TemporaryFolder()
        for name in ["original", "copy", "former"] { try folder.write("same", to: name) }
        let base = try BaseFolder(path: folder.path()).folder()
        func place(_ name: String) -> Place { Place(folder: base, name: name.utf8.map { CChar(bitPattern: $0) } + [0]) }
        var remover = OriginalsRemover(paths: ("/original", "/copy"), begun: .now)
        let former = try folder.status("former").identity
        let error = #expect(throws: CocoaError.self) {
            try remover.remove(place("original"), former, copiedTo: place("copy"))
        }
        #expect(error?.code == .fileWriteUnknown)
        #expect(folder.read("original") == "same")
        let own = try folder.status("original").identity
        remover = OriginalsRemover(paths: ("/original", "/copy"), begun: .now)
        try remover.remove(place("original"), own, copiedTo: place("copy"))
        #expect(try folder.names() == ["copy", "former"])
    }

    @Test("a copy whose date is as its file system keeps it is one, and of another date only by its bytes")
    func datesOfCopies() async throws {
        let folder = try TemporaryFolder()
        for (name, text) in [("fat", "new"), ("seconds", "new"), ("digits", "new"), ("other", "new"), ("same", "old")] {
            try folder.write("old", to: "tree/" + name)
            try folder.write(text, to: "copy/" + name)
        }
        try folder.write("old", to: "tree/later")
        try folder.write("new", to: "copy/later")
        let date = timespec(tv_sec: 1_700_000_001, tv_nsec: 987_654_321)
        for name in ["fat", "seconds", "digits", "other", "same", "later"] {
            setDate(date, of: folder.path("tree/" + name))
        }
        setDate(timespec(tv_sec: 1_700_000_000, tv_nsec: 0), of: folder.path("copy/fat"))
        setDate(timespec(tv_sec: 1_700_000_001, tv_nsec: 0), of: folder.path("copy/seconds"))
        setDate(timespec(tv_sec: 1_700_000_001, tv_nsec: 987_654_300), of: folder.path("copy/digits"))
        setDate(timespec(tv_sec: 1_700_000_001, tv_nsec: 987_654_301), of: folder.path("copy/other"))
        setDate(timespec(tv_sec: 1_600_000_001, tv_nsec: 0), of: folder.path("copy/same"))
        setDate(timespec(tv_sec: 1_700_000_002, tv_nsec: 0), of: folder.path("copy/later"))
        await #expect(throws: CocoaError.self) {
            try await folder.provider().removeOriginal(
                path: "/tree",
                copiedTo: "/copy",
                since: Date(timeIntervalSinceNow: 60)
            )
        }
        #expect(try folder.names().filter { $0.hasPrefix("tree/") }.sorted() == ["tree/later", "tree/other"])
    }
}
