import FerryCore
import Foundation
import Synchronization
import Testing

@testable import FerryLocal

@Suite("What is below a folder that was opened once stays there")
struct HeldFolderTests {
    private static let methods: [BaseFolder.Method] = [.best, .stepByStep]

    /// The whole machine, as a command sees it.
    private func machine(_ method: BaseFolder.Method, _ folder: TemporaryFolder) -> LocalFileProvider {
        LocalFileProvider(
            base: BaseFolder(path: "/", method: method, writesThroughLinks: false),
            trashes: folder.trashes,
            asides: folder.asides
        )
    }

    @Test(
        "no link leads out, be it on the way or in the last place; those that stay inside are followed",
        arguments: methods
    )
    func links(method: BaseFolder.Method) async throws {
        let folder = try TemporaryFolder()
        try folder.write("secret", to: "outside/secret")
        try folder.write("text", to: "held/a/file")
        try folder.link("held/absolute", to: folder.path("outside"))
        try folder.link("held/relative", to: "../outside")
        try folder.link("held/inside", to: "a")
        let files = machine(method, folder)
        let root = try ItemPath(parsing: folder.path("held"))
        #expect(try await files.contents(path: root.appending(path: "/absolute/secret")) == Data("secret".utf8))
        try await files.hold(root)
        for name in ["absolute", "relative"] {
            await expect(.fileReadNoPermission) {
                _ = try await files.contents(path: root.appending(name).appending("secret"))
            }
            await expect(.fileWriteNoPermission) {
                try await files.removeItem(path: root.appending(name).appending("secret"))
            }
            await expect(.fileWriteNoPermission) { try await files.create(folder: "new", at: root.appending(name)) }
            await expect(.fileWriteNoPermission) {
                try await files.moveItem(path: root.appending(path: "/a/file"), to: root.appending(name).appending("x"))
            }
        }
        #expect(try await files.contents(path: root.appending(path: "/inside/file")) == Data("text".utf8))
        #expect(try folder.names("outside") == ["secret"])
        // Items elsewhere are reached as before.
        #expect(try await files.contents(path: ItemPath(parsing: folder.path("outside/secret"))) == Data("secret".utf8))
    }

    @Test("the folder itself stays the one that was opened, whatever gets its name", arguments: methods)
    func replaced(method: BaseFolder.Method) async throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("outside")
        try folder.makeFolder("held")
        let files = machine(method, folder)
        let root = try ItemPath(parsing: folder.path("held"))
        try await files.hold(root)
        try FileManager.default.moveItem(atPath: folder.path("held"), toPath: folder.path("away"))
        try folder.link("held", to: "outside")
        try await files.writeContents(path: root.appending("new"), contents: Data("x".utf8))
        #expect(try folder.names("outside").isEmpty && folder.names("away") == ["new"])
        #expect(try await files.contentsOfDirectory(path: root).map(\.name) == ["new"])
    }

    @Test("one that is missing is opened when it is there, and never through a link", arguments: methods)
    func missing(method: BaseFolder.Method) async throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("outside")
        let files = machine(method, folder)
        let root = try ItemPath(parsing: folder.path("held"))
        try await files.hold(root)
        try folder.link("held", to: "outside")
        await expect(.fileWriteNoPermission) {
            try await files.writeContents(path: root.appending("new"), contents: Data("x".utf8))
        }
        try FileManager.default.removeItem(atPath: folder.path("held"))
        try await files.create(folder: "held", at: root.parent)
        try await files.writeContents(path: root.appending("new"), contents: Data("x".utf8))
        #expect(folder.read("held/new") == "x")
        #expect(try folder.names("outside").isEmpty)
    }

    @Test("more folders than can be open at once are opened again", arguments: methods)
    func many(method: BaseFolder.Method) async throws {
        let folder = try TemporaryFolder()
        let files = machine(method, folder)
        for number in 0..<500 {
            try folder.makeFolder("f\(number)")
            try await files.hold(try ItemPath(parsing: folder.path("f\(number)")))
        }
        try await untilOpenFiles(below: folder.path()) { $0 <= 201 }
        for number in 0..<500 {
            let path = try ItemPath(parsing: folder.path("f\(number)/x"))
            try await files.writeContents(path: path, contents: Data("\(number)".utf8))
        }
        #expect((0..<500).allSatisfy { folder.read("f\($0)/x") == "\($0)" })
        try await untilOpenFiles(below: folder.path()) { $0 <= 201 }
    }

    @Test(
        "a link in the place of a file is replaced with overwriting, and refused without; nothing is written through it"
    )
    func linkInPlace() async throws {
        let folder = try TemporaryFolder()
        try folder.write("theirs", to: "other")
        try folder.link("link", to: "other")
        try folder.link("dangling", to: "nowhere")
        let files = machine(.best, folder)
        let top = try ItemPath(parsing: folder.path())
        for name in ["link", "dangling"] {
            let path = top.appending(name)
            await expect(.fileWriteFileExists) { try await files.writeContents(path: path, contents: Data("x".utf8)) }
            for isAtomic in [true, false] {
                try await files.writeContents(
                    path: path,
                    contents: Data("new".utf8),
                    atomically: isAtomic,
                    overwrite: true
                )
                #expect(try folder.read(name) == "new" && folder.status(name).isFile)
                #expect(try folder.status(name).permissions == 0o666 & ~processFileModeMask())
                try FileManager.default.removeItem(atPath: folder.path(name))
                try folder.link(name, to: name == "link" ? "other" : "nowhere")
            }
        }
        #expect(folder.read("other") == "theirs" && folder.read("nowhere") == nil)
    }

    @Test("permissions of what a link leads to are not changed through it")
    func permissions() async throws {
        let folder = try TemporaryFolder()
        try folder.write("x", to: "file")
        try folder.link("link", to: "file")
        let place = try BaseFolder.machine.place(of: ItemPath(parsing: folder.path("link")))
        let before = try folder.status("file").permissions
        #expect(throws: Errno(ELOOP)) { try place.folder.setPermissions(of: place.name, 0o700) }
        #expect(try folder.status("file").permissions == before)
        try place.folder.setPermissions(of: Array("file".utf8CString), 0o200)
        try place.folder.setPermissions(of: Array("file".utf8CString), 0o640)
        #expect(try folder.status("file").permissions == 0o640)
    }

    @Test("a folder below that is swapped with a link again and again never leads out", arguments: methods)
    func race(method: BaseFolder.Method) async throws {
        let folder = try TemporaryFolder()
        try folder.write("secret", to: "outside/file")
        try folder.write("inside", to: "held/folder/file")
        let held = folder.path("held")
        let files = machine(method, folder)
        let root = try ItemPath(parsing: held)
        try await files.hold(root)
        let isDone = Flag()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await BlockingPool.shared.started {
                    for _ in 0..<20_000 where !isDone.isSet {
                        rename(held + "/folder", held + "/aside")
                        symlink("../outside", held + "/folder")
                        unlink(held + "/folder")
                        rename(held + "/aside", held + "/folder")
                    }
                }
            }
            group.addTask {
                let path = root.appending("folder")
                for round in 0..<200 {
                    let text = (try? await files.contents(path: path.appending("file")))
                        .map { String(decoding: $0, as: UTF8.self) }
                    #expect(text == nil || text == "inside")
                    try? await files.writeContents(path: path.appending("new\(round)"), contents: Data("x".utf8))
                    try? await files.removeItem(path: path.appending("new\(round)"))
                    try? await files.setAttributes(ItemAttributes(permissions: 0o751), path: path)
                    let name = UUID().uuidString
                    if let id = try? await files.setAside(path: path.appending("file"), name: name, copying: true) {
                        try? await files.bringBack(id, to: path.appending("back\(round)"), overwrite: false)
                        try? await files.removeItem(path: path.appending("back\(round)"))
                    }
                }
                isDone.set()
            }
        }
        #expect(try folder.names("outside") == ["file"])
        #expect(folder.read("outside/file") == "secret")
        #expect(try folder.status("outside").permissions != 0o751)
    }
}
