import FerryCore
import Foundation
import Synchronization
import Testing

@testable import FerryLocal

@Suite("No path and no link leads out of the base folder")
struct ConfinementTests {
    static let methods: [BaseFolder.Method] = [.best, .stepByStep]

    @Test("what lies outside is neither read, listed, written nor removed", arguments: methods)
    func staysInside(method: BaseFolder.Method) async throws {
        let folder = try TemporaryFolder()
        try folder.write("secret", to: "outside/secret")
        try folder.makeFolder("base/inside")
        try folder.link("base/absolute", to: folder.path("outside"))
        try folder.link("base/relative", to: "../outside")
        try folder.link("base/inside/up", to: "../../outside/secret")
        let provider = folder.provider("base", method: method)

        for path: ItemPath in ["/absolute/secret", "/relative/secret", "/inside/up"] {
            await expect(.fileReadNoPermission) { _ = try await provider.contents(path: path) }
        }
        for path: ItemPath in ["/absolute", "/relative"] {
            await expect(.fileReadNoPermission) { _ = try await provider.contentsOfDirectory(path: path) }
            await expect(.fileWriteNoPermission) {
                try await provider.writeContents(path: path.appending("new"), contents: Data("x".utf8))
            }
            await expect(.fileWriteNoPermission) { try await provider.removeItem(path: path.appending("secret")) }
            await expect(.fileWriteNoPermission) { try await provider.create(folder: "new", at: path) }
        }
        await expect(.fileWriteNoPermission) {
            try await provider.writeContents(path: "/inside/up", contents: Data("x".utf8), overwrite: true)
        }
        #expect(try folder.names("outside") == ["secret"])
        #expect(folder.read("outside/secret") == "secret")
    }

    @Test("links that stay inside are followed", arguments: methods)
    func followsInside(method: BaseFolder.Method) async throws {
        let folder = try TemporaryFolder()
        try folder.write("text", to: "base/a/file")
        try folder.makeFolder("base/b/c")
        try folder.link("base/b/c/link", to: "../../a")
        try folder.link("base/b/chain", to: "c/link/file")
        try folder.link("base/b/dangling", to: "new")
        let provider = folder.provider("base", method: method)
        #expect(try await provider.contents(path: "/b/c/link/file") == Data("text".utf8))
        #expect(try await provider.contents(path: "/b/chain") == Data("text".utf8))
        #expect(try await provider.contentsOfDirectory(path: "/b/c/link").map(\.name) == ["file"])

        try await provider.writeContents(path: "/b/chain", contents: Data("new".utf8), overwrite: true)
        #expect(folder.read("base/a/file") == "new")
        #expect(try folder.status("base/b/chain").isLink)
        try await provider.writeContents(path: "/b/dangling", contents: Data("made".utf8))
        #expect(folder.read("base/b/new") == "made")
    }

    @Test("a circle of links ends", arguments: methods)
    func circle(method: BaseFolder.Method) async throws {
        let folder = try TemporaryFolder()
        try folder.link("a", to: "b")
        try folder.link("b", to: "a")
        let provider = folder.provider(method: method)
        await expect(.fileReadUnknown) { _ = try await provider.contents(path: "/a") }
        await expect(.fileWriteUnknown) {
            try await provider.writeContents(path: "/a", contents: Data(), overwrite: true)
        }
    }

    @Test("a folder that is swapped with a link again and again never leads out", arguments: methods)
    func race(method: BaseFolder.Method) async throws {
        let folder = try TemporaryFolder()
        try folder.write("secret", to: "outside/file")
        try folder.write("inside", to: "base/folder/file")
        let base = folder.path("base")
        let provider = folder.provider("base", method: method)
        let isDone = Flag()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await BlockingPool.shared.started {
                    for _ in 0..<20_000 where !isDone.isSet {
                        rename(base + "/folder", base + "/aside")
                        symlink("../outside", base + "/folder")
                        unlink(base + "/folder")
                        rename(base + "/aside", base + "/folder")
                    }
                }
            }
            group.addTask {
                for round in 0..<100 {
                    let text = (try? await provider.contents(path: "/folder/file")).map {
                        String(decoding: $0, as: UTF8.self)
                    }
                    #expect(text == nil || text == "inside")
                    try? await provider.writeContents(
                        path: "/folder/new\(round)",
                        contents: Data("x".utf8),
                        atomically: round.isMultiple(of: 2)
                    )
                    try? await provider.removeItem(path: "/folder/new\(round)")
                    try? await provider.copyItem(path: "/folder", to: "/copy\(round)")
                    // The copied item may be the link itself; through a folder nothing from outside must have come.
                    if let copy = try? folder.status("base/copy\(round)"), copy.isFolder {
                        #expect(folder.read("base/copy\(round)/file") != "secret")
                    }
                }
                isDone.set()
            }
        }
        #expect(try folder.names("outside") == ["file"])
        #expect(folder.read("outside/file") == "secret")
    }

    @Test("names that can't be, and paths by identifier, are refused")
    func refusesNames() async throws {
        let folder = try TemporaryFolder()
        let provider = folder.provider()
        for name in ["a/b", "..", ".", "a\0b"] {
            let path = ItemPath.root.appending(name)
            await expect(.fileWriteInvalidFileName) { try await provider.writeContents(path: path, contents: Data()) }
            await expect(.fileReadInvalidFileName) { _ = try await provider.attributesOfItem(path: path) }
            await expect(.fileWriteInvalidFileName) { try await provider.create(folder: name, at: "/") }
        }
        let identifier: ItemPath = "id:abc"
        await expect(.featureUnsupported) { _ = try await provider.attributesOfItem(path: identifier) }
        await expect(.featureUnsupported) { _ = try await provider.contentsOfDirectory(path: identifier) }
        await expect(.featureUnsupported) { _ = try await provider.contents(path: identifier) }
        await expect(.featureUnsupported) { try await provider.removeItem(path: identifier) }
        await expect(.featureUnsupported) { try await provider.writeContents(path: identifier, contents: Data()) }
        let long = ItemPath.root.appending(String(repeating: "n", count: 256))
        await expect(.fileReadInvalidFileName) { _ = try await provider.attributesOfItem(path: long) }
        await expect(.fileWriteInvalidFileName) { try await provider.writeContents(path: long, contents: Data()) }
        #expect(try folder.names() == [])
    }

    @Test("names of any bytes survive a round trip", arguments: methods)
    func anyBytes(method: BaseFolder.Method) async throws {
        let folder = try TemporaryFolder()
        let provider = folder.provider(method: method)
        let names: [[UInt8]] = [
            [0xFF, 0xFE], Array("caf\u{E9}".unicodeScalars.map { UInt8($0.value) }), Array("é".utf8),
            Array("e\u{301}".utf8),
            Array("\u{10F741}".utf8), [0xED, 0xA0, 0x80], Array("new\nline".utf8), Array("id:x".utf8), Array(" ".utf8),
        ]
        for name in names {
            let path = folder.path() + "/"
            let bytes = path.utf8.map { CChar(bitPattern: $0) } + name.map { CChar(bitPattern: $0) } + [0]
            let file = open(bytes, O_CREAT | O_WRONLY, 0o644)
            #expect(file >= 0)
            close(file)
        }
        let items = try await provider.contentsOfDirectory(path: "/")
        #expect(Set(items.map { NameEscape.bytes(ofName: $0.path.lastComponent) }) == Set(names))
        for item in items {
            let name = try await provider.attributesOfItem(path: item.path).name
            #expect(name.utf8.elementsEqual(item.name.utf8), "\(NameEscape.bytes(ofName: item.name))")
            try await provider.copyItem(path: item.path, to: "/copy")
            try await provider.removeItem(path: "/copy")
            try await provider.removeItem(path: item.path)
        }
        #expect(try await provider.contentsOfDirectory(path: "/").isEmpty)
    }

    @Test("paths longer than the system takes lead where they should", arguments: methods)
    func longPaths(method: BaseFolder.Method) async throws {
        let folder = try TemporaryFolder()
        let provider = folder.provider(method: method)
        let deep = (0..<60).reduce(ItemPath.root) { path, _ in path.appending(String(repeating: "d", count: 100)) }
        try await provider.create(folder: "end", at: deep, creatingParents: true)
        let file = deep.appending("end").appending("file")
        try await provider.writeContents(path: file, contents: Data("deep".utf8))
        #expect(try await provider.contents(path: file) == Data("deep".utf8))
        try await provider.copyItem(path: "/\(String(repeating: "d", count: 100))", to: "/copy")
        try await provider.removeItem(path: "/copy")
    }

    @Test("a base folder that is made anew is found again")
    func baseMadeAnew() async throws {
        let folder = try TemporaryFolder()
        let provider = folder.provider("base")
        #expect(try await !provider.isReachable())
        try folder.write("1", to: "base/one")
        #expect(try await provider.contentsOfDirectory(path: "/").map(\.name) == ["one"])
        try FileManager.default.removeItem(atPath: folder.path("base"))
        #expect(try await !provider.isReachable())
        try folder.write("2", to: "base/two")
        #expect(try await provider.contentsOfDirectory(path: "/").map(\.name) == ["two"])
    }
}

extension BlockingPool {
    /// Runs work that can't fail.
    func started(_ body: @escaping @Sendable () -> Void) async {
        try? await run(body)
    }
}

/// Something that has happened or not, seen by all threads.
final class Flag: Sendable {
    private let value = Atomic(false)
    var isSet: Bool { value.load(ordering: .relaxed) }
    func set() { value.store(true, ordering: .relaxed) }
}
