import FerryCore
import Foundation
import Testing

@testable import FerryLocal

@Suite("The trash that desktops share")
struct TrashTests {
    @Test("what is put there comes back to its place")
    func roundTrip() async throws {
        let folder = try TemporaryFolder()
        try folder.write("text", to: "base/sub/50% ü.txt")
        try folder.write("inner", to: "base/tree/inner")
        let provider = folder.provider("base")
        let file = try await provider.trashItem(path: "/sub/50% ü.txt")
        let tree = try await provider.trashItem(path: "/tree")
        #expect(try folder.names("base") == ["sub"])
        #expect(try folder.names(".data/Trash/files") == ["50% ü.txt", "tree", "tree/inner"])
        let info = try #require(folder.read(".data/Trash/info/50% ü.txt.trashinfo"))
        #expect(info.hasPrefix("[Trash Info]\nPath=\(folder.path("base"))/sub/50%25%20%C3%BC.txt\nDeletionDate=20"))

        let items = try await provider.trashedItems()
        #expect(Set(items.map(\.originalPath)) == ["/sub/50% ü.txt", "/tree"])
        #expect(Set(items) == [file, tree])
        try await provider.restoreFromTrash(file, to: nil)
        try await provider.restoreFromTrash(tree, to: "/elsewhere")
        #expect(folder.read("base/sub/50% ü.txt") == "text")
        #expect(folder.read("base/elsewhere/inner") == "inner")
        #expect(try folder.names(".data/Trash") == ["files", "info"])
        await expect(.fileNoSuchFile) { try await provider.restoreFromTrash(file, to: nil) }
    }

    @Test("items of the same name have names of their own there, and nothing is replaced")
    func sameNames() async throws {
        let folder = try TemporaryFolder()
        let provider = folder.provider("base")
        var items: [TrashedItem] = []
        for index in 0..<3 {
            try folder.write("\(index)", to: "base/file")
            items.append(try await provider.trashItem(path: "/file"))
        }
        #expect(Set(items.map(\.id)).count == 3)
        try folder.write("new", to: "base/file")
        await expect(.fileWriteFileExists) { try await provider.restoreFromTrash(items[1], to: nil) }
        #expect(folder.read("base/file") == "new")
        try await provider.restoreFromTrash(items[1], to: "/back")
        #expect(folder.read("base/back") == "1")
        try await provider.emptyTrash([items[0]])
        #expect(try await provider.trashedItems().map(\.id) == [items[2].id])
        try await provider.emptyTrash(nil)
        #expect(try folder.names(".data/Trash") == ["files", "info"])
    }

    @Test("only what came from below the base is shown, restored and removed")
    func othersItems() async throws {
        let folder = try TemporaryFolder()
        try folder.write("mine", to: "base/file")
        try folder.write("other", to: "other/file")
        let mine = folder.provider("base")
        try await mine.trashItem(path: "/file")
        let other = try await folder.provider("other").trashItem(path: "/file")
        #expect(try await mine.trashedItems().map(\.originalPath) == ["/file"])
        await expect(.fileNoSuchFile) { try await mine.restoreFromTrash(other, to: "/stolen") }
        try await mine.emptyTrash(nil)
        #expect(try await folder.provider("other").trashedItems() == [other])
    }

    @Test("names of any bytes, and the longest ones, come back")
    func names() async throws {
        let folder = try TemporaryFolder()
        let provider = folder.provider("base")
        try folder.makeFolder("base")
        let odd = ItemPath.root.appending(NameEscape.name(ofBytes: [0xFF, 0x25, 0x0A]))
        let long = ItemPath.root.appending(String(repeating: "é", count: 127))
        for path in [odd, long] {
            try await provider.writeContents(path: path, contents: Data("x".utf8))
            let item = try await provider.trashItem(path: path)
            #expect(try await provider.trashedItems().map(\.originalPath) == [path])
            try await provider.restoreFromTrash(item, to: nil)
            #expect(try await provider.contents(path: path) == Data("x".utf8))
        }
    }

    @Test("the base folder and what is missing can't be put there")
    func refuses() async throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("base")
        let provider = folder.provider("base")
        await expect(.fileWriteNoPermission) { try await provider.trashItem(path: "/") }
        await expect(.fileNoSuchFile) { try await provider.trashItem(path: "/gone") }
        #expect(try await provider.trashedItems() == [])
    }

    @Test(
        "what others have written into the trash can't lead anywhere",
        arguments: [
            "/etc/passwd", "../../etc/passwd", "%2e%2e/x", "", "%zz",
        ]
    )
    func hostileInfo(path: String) async throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("base")
        try folder.write("x", to: ".data/Trash/files/evil")
        try folder.write("[Trash Info]\nPath=\(path)\n", to: ".data/Trash/info/evil.trashinfo")
        #expect(try await folder.provider("base").trashedItems() == [])
    }

    @Test("on another file system the trash is at its top", .enabled(if: geteuid() == 0, "mounting needs root"))
    func otherFileSystem() async throws {
        let folder = try TemporaryFolder()
        let disk = try MountedFileSystem(folder, options: "size=1m")
        defer { disk.unmount() }
        let provider = folder.provider("disk/base")
        try folder.write("x", to: "disk/base/file")
        // A shared trash without the sticky bit is not safe, and not used.
        try folder.makeFolder("disk/.Trash")
        let item = try await provider.trashItem(path: "/file")
        #expect(try folder.names("disk/.Trash-0/files") == ["file"])
        #expect(folder.read("disk/.Trash-0/info/file.trashinfo")?.contains("Path=base/file\n") == true)
        #expect(try await provider.trashedItems() == [item])
        try await provider.restoreFromTrash(item, to: nil)
        chmod(folder.path("disk/.Trash"), 0o1777)
        try await provider.trashItem(path: "/file")
        #expect(try folder.names("disk/.Trash/0/files") == ["file"])
        try await provider.emptyTrash(nil)
        #expect(try folder.names("disk/.Trash/0") == ["files", "info"])
    }
}

@Suite("The user's folders")
struct UserFoldersTests {
    @Test("are where the XDG specifications say")
    func folders() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "# comment\nXDG_DOCUMENTS_DIR=\"$HOME/Papers\"\nXDG_MUSIC_DIR=\"/srv/music/\"\nXDG_VIDEOS_DIR=\"relative\"\n",
            to: ".config/user-dirs.dirs"
        )
        let folders = UserFolders(environment: [
            "HOME": folder.path(), "XDG_CACHE_HOME": "/var/tmp/cache", "XDG_DATA_HOME": "relative",
            "XDG_PICTURES_DIR": "/srv/pictures",
        ])
        #expect(folders.known("DOCUMENTS", otherwise: "Documents") == folder.path("Papers"))
        #expect(folders.known("MUSIC", otherwise: "Music") == "/srv/music")
        #expect(folders.known("VIDEOS", otherwise: "Videos") == folder.path("Videos"))
        #expect(folders.known("PICTURES", otherwise: "Pictures") == "/srv/pictures")
        #expect(folders.cacheHome == "/var/tmp/cache")
        #expect(folders.dataHome == folder.path(".local/share"))
        #expect(
            LocalFileProvider.url(of: .documentDirectory, in: folders)?.path(percentEncoded: false)
                == folder.path("Papers/")
        )
        #expect(LocalFileProvider.url(of: .applicationDirectory, in: folders) == nil)
    }

    @Test("a provider can be written down and made again")
    func configuration() async throws {
        let provider = LocalFileProvider(
            baseURL: URL(filePath: "/srv/files", directoryHint: .isDirectory),
            synchronizes: true
        )
        let again = try LocalFileProvider(
            configuration: provider.configuration,
            credentials: MemoryCredentialStore(),
            environment: FileProviderEnvironment()
        )
        #expect(again.isEqual(to: provider))
        #expect(again.synchronizes)
    }
}
