import FerryCore
import Foundation
import Testing

@Suite("A path")
struct ItemPathTests {
    @Test(
        "is absolute, with no empty component, '.' or '..'",
        arguments: [
            ("/", "/"), ("", "/"), ("a", "/a"), ("/a/b", "/a/b"), ("/a/b/", "/a/b"), ("//a///b", "/a/b"), ("./a", "/a"),
            ("/a/./b/.", "/a/b"), ("/a/../b", "/b"), ("/a/b/../..", "/"), ("a/..", "/"), ("/...", "/..."),
            ("/.a/..b/c.", "/.a/..b/c."), ("/ ", "/ "), ("/a b/c%46", "/a b/c%46"), ("/a\nb", "/a\nb"),
            ("/\u{e9}", "/\u{e9}"), ("/e\u{301}", "/e\u{301}"), ("/id:x", "/id:x"), ("a/id:x", "/a/id:x"),
            ("id:x", "id:x"), ("id:x/", "id:x"), ("id:x//a/./b/../c/", "id:x/a/c"), ("rev:1", "rev:1"),
            ("ID:x", "/ID:x"), ("idx", "/idx"),
            ("/a/\u{301}b", "/a/\u{301}b"), ("/\u{301}", "/\u{301}"), ("/a/.\u{301}", "/a/.\u{301}"),
            ("/a/..\u{301}/b", "/a/..\u{301}/b"), ("a/\u{301}/../b", "/a/b"),
        ]
    )
    func normalisation(text: String, path: String) throws {
        #expect(try utf8(ItemPath(parsing: text).string) == utf8(path))
        #expect(try ItemPath(parsing: ItemPath(parsing: text).string) == ItemPath(parsing: text))
    }

    @Test(
        "can't climb out of the root, hold a NUL or be an empty identifier",
        arguments: [
            "..", "/..", "/a/../..", "/a/../../b", "../a", "/a\0b", "\0", "id:", "rev:", "id:a\0", "id:/a", "id:a/..",
            "id:a/b/../..", "./..",
        ]
    )
    func invalid(text: String) {
        #expect(throws: CocoaError.self) { try ItemPath(parsing: text) }
        let error = #expect(throws: CocoaError.self) { try ItemPath(parsing: text) }
        #expect(error?.code == .fileReadInvalidFileName)
        #expect(ItemPath(text) == nil)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([ItemPath].self, from: JSONEncoder().encode([text]))
        }
    }

    @Test("as a literal stops at the root")
    func literal() {
        #expect(("/../a" as ItemPath).string == "/a")
        #expect(("a/b/" as ItemPath).string == "/a/b")
    }

    @Test("is taken apart")
    func parts() {
        let path: ItemPath = "/a/b.tar.gz"
        #expect(path.components == ["a", "b.tar.gz"])
        #expect(path.lastComponent == "b.tar.gz")
        #expect(path.lastName == "b.tar.gz")
        #expect(path.pathExtension == "gz")
        #expect(path.parent == "/a")
        #expect(path.parent.parent == .root)
        #expect(path.parent.parent.parent == .root)
        #expect(!path.isRoot)
        #expect(ItemPath.root.isRoot)
        #expect(ItemPath.root.components.isEmpty)
        #expect(ItemPath.root.lastComponent.isEmpty)
        #expect(("/.profile" as ItemPath).pathExtension.isEmpty)
    }

    @Test("keeps apart components that begin with a combining mark")
    func combiningMarks() {
        // To Swift, "/" and a combining mark are one character.
        let path: ItemPath = "/a/\u{301}b/c"
        #expect(path.components.map { utf8($0) } == [utf8("a"), utf8("\u{301}b"), utf8("c")])
        #expect(utf8(path.parent.lastName) == utf8("\u{301}b"))
        #expect(path.parent.parent == "/a")
        #expect(path.isBelow("/a"))
        #expect(path.relative(to: "/a").map { utf8($0.string) } == utf8("/\u{301}b/c"))
        #expect(utf8(ItemPath.root.appending("\u{301}b").string) == utf8("/\u{301}b"))
    }

    @Test("by identifier has no names and no parent")
    func identifiers() throws {
        let path = ItemPath(identifier: "a/b")
        #expect(path.identifier == "a/b" && path.leadingIdentifier == "a/b")
        #expect(try ItemPath(parsing: path.string) == path)
        #expect(ItemPath(identifier: "a").string == "id:a")
        #expect(path.revision == nil)
        #expect(path.isIdentifier && path.beginsWithIdentifier)
        #expect(path.components.isEmpty)
        #expect(path.lastName.isEmpty)
        #expect(path.parent == .root)
        #expect(!path.isBelow(.root))
        #expect(ItemPath(revision: "7").revision == "7")
        #expect(ItemPath(identifier: "") == .root)
        #expect(("/id:x" as ItemPath).identifier == nil)
        #expect(utf8(ItemPath(identifier: "\u{301}x").identifier ?? "") == utf8("\u{301}x"))
    }

    @Test("below an identifier has names, and folders up to the identifier")
    func belowIdentifier() {
        let folder = ItemPath(identifier: "x")
        let path = folder.appending("a").appending("b/c.txt")
        #expect(folder.appending("a").string == "id:x/a")
        #expect(!path.isIdentifier && path.beginsWithIdentifier && !path.isRoot)
        #expect(path.identifier == nil && path.leadingIdentifier == "x" && path.revision == nil)
        #expect(path.components.count == 2 && path.lastName == "b/c.txt" && path.pathExtension == "txt")
        #expect(path.parent == "id:x/a" && path.parent.parent == folder && folder.parent == .root)
        #expect(path.isBelow(folder) && path.isBelow("id:x/a") && !path.isBelow(.root) && !path.isBelow("id:y"))
        #expect(!folder.appending("a").isBelow("/a") && !("/a/b" as ItemPath).isBelow("id:x"))
        #expect(path.relative(to: folder) == ItemPath.root.appending("a").appending("b/c.txt"))
        #expect(path.relative(to: .root) == nil)
        #expect(path.replacing(folder, with: "/t") == ("/t/a" as ItemPath).appending("b/c.txt"))
        #expect(folder.appending(path: "a/b") == "id:x/a/b")
        #expect(("/t" as ItemPath).appending(path: "id:x/a") == "/t/a")
        #expect(ItemPath(revision: "7").appending("a").revision == nil)
        #expect(ItemPath(revision: "7").appending("a").beginsWithIdentifier)
        #expect(path.percentEncoded == "/id%3Ax/a/b%2Fc.txt" && folder.percentEncoded == "/id%3Ax")
        let item = FileObject(path: "id:x/a", type: .file)
        #expect(item.path == "id:x/a" && item.name == "a" && item.folder == folder)
    }

    @Test(
        "takes every name, and gives it back",
        arguments: [
            "a", "a/b", "/", ".", "..", "...", "\0", "a\0b", "id:x", "rev:x", "é", "e\u{301}", "\u{301}", "%2F", "\\",
            " ",
            "a\r\nb", ".\u{301}", "\u{10F72F}", "\u{10F700}/", "😀",
        ]
    )
    func names(name: String) throws {
        let path = ItemPath.root.appending("x").appending(name)
        #expect(utf8(path.lastName) == utf8(name))
        #expect(path.parent == "/x")
        #expect(path.components.count == 2)
        #expect(try ItemPath(parsing: path.string) == path)
        #expect(try JSONDecoder().decode([ItemPath].self, from: JSONEncoder().encode([path])) == [path])
        #expect(path.appending("") == path)
    }

    @Test("is joined with a relative one")
    func joining() {
        let folder: ItemPath = "/a"
        #expect(folder.appending(path: "b/c") == "/a/b/c")
        #expect(folder.appending(path: "../c") == "/a/c")
        #expect(folder.appending(path: .root) == folder)
        #expect(ItemPath.root.appending(path: folder) == folder)
    }

    @Test(
        "is below each folder that it goes through, and below nothing else",
        arguments: [
            ("/a/b", "/a", true), ("/a/b/c", "/a", true), ("/a", "/", true), ("/a", "/a", false), ("/", "/", false),
            ("/ab", "/a", false), ("/a", "/a/b", false), ("/e\u{301}/x", "/\u{e9}", false), ("/", "/a", false),
        ]
    )
    func below(path: ItemPath, folder: ItemPath, isBelow: Bool) {
        #expect(path.isBelow(folder) == isBelow)
        #expect((path.relative(to: folder) != nil) == (isBelow || path == folder))
        if let relative = path.relative(to: folder) { #expect(folder.appending(path: relative) == path) }
    }

    @Test("moves with a folder above it")
    func replacing() {
        #expect(("/a/b/c" as ItemPath).replacing("/a", with: "/x/y") == "/x/y/b/c")
        #expect(("/a" as ItemPath).replacing("/a", with: "/x") == "/x")
        #expect(("/a/b" as ItemPath).replacing("/a", with: .root) == "/b")
        #expect(("/a/b" as ItemPath).replacing(.root, with: "/x") == "/x/a/b")
        #expect(("/ab" as ItemPath).replacing("/a", with: "/x") == "/ab")
    }

    @Test("is another when its bytes are")
    func equality() {
        #expect("/\u{e9}" as ItemPath != "/e\u{301}")
        #expect(Set<ItemPath>(["/\u{e9}", "/e\u{301}", "/\u{e9}"]).count == 2)
        #expect(String(describing: "/a" as ItemPath) == "/a")
    }

    @Test("stands in a list right before what is below it")
    func order() {
        let paths: [ItemPath] = ["/", "/a", "/a/b", "/a/z", "/a b", "/a!", "/a-b", "/a.b", "/b", "/é"]
        #expect(paths.reversed().sorted() == paths)
        for first in paths {
            for second in paths {
                #expect([first < second, second < first, first == second].filter(\.self).count == 1)
            }
        }
    }

    private func utf8(_ text: some StringProtocol) -> [UInt8] { Array(text.utf8) }
}
