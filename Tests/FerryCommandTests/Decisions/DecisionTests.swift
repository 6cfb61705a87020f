import FerryCore
import Foundation
import Testing

@testable import FerryCommand

@Suite("What a location means")
struct LocationTests {
    @Test(
        "a colon before the first slash ends a storage's name",
        arguments: [
            ("a", LocationSyntax.local("a")), ("./a:b", .local("./a:b")), ("/a:b", .local("/a:b")),
            (":a", .local(":a")),
            ("memory:", .storage(name: "memory", path: "")), ("w:a/b:c", .storage(name: "w", path: "a/b:c")),
            ("w:/a", .storage(name: "w", path: "/a")), ("w:id:x", .storage(name: "w", path: "id:x")),
        ]
    )
    func syntax(_ text: String, _ expected: LocationSyntax) {
        #expect(LocationSyntax(text) == expected)
    }

    @Test(
        "local paths are absolute and normal",
        arguments: [("a/./b//c/", "/cwd/a/b/c"), (".", "/cwd"), ("/", "/"), ("//x", "/x"), ("a:b", "/cwd/a:b")]
    )
    func absolute(_ text: String, _ expected: String) throws {
        #expect(try LocalPaths(currentFolder: "/cwd").absolutePath(text).string == expected)
    }

    @Test(
        "what is below a location is shown as the person began it",
        arguments: [("d", "d/x"), ("d/", "d/x"), ("./d", "./d/x"), ("/cwd/d", "/cwd/d/x")]
    )
    func display(_ text: String, _ expected: String) async throws {
        let storages = Storages(environment: [:], currentFolder: "/cwd")
        let location = try await storages.location(text)
        #expect(location.display("/cwd/d/x") == expected)
        #expect(location.display("/other") == "/other")
    }

    @Test(
        "a folder above a location is shown as the person would have written it",
        arguments: [("d/x", "d"), ("/cwd/d/x/", "/cwd/d"), ("./d//x", "./d"), ("d/./x", "d/.")]
    )
    func displayAbove(_ text: String, _ expected: String) async throws {
        let storages = Storages(environment: [:], currentFolder: "/cwd")
        let location = try await storages.location(text)
        #expect(location.display("/cwd/d") == expected)
        #expect(try await storages.location("x").display("/cwd") == ".")
        #expect(try await storages.location("memory:a/b").display("/a") == "memory:a")
    }

    @Test("what is below a storage's top follows its colon")
    func displayStorage() async throws {
        let storages = Storages(environment: [:], currentFolder: "/cwd")
        #expect(try await storages.location("memory:").display("/a/b") == "memory:a/b")
        #expect(try await storages.location("memory:/a").display("/a/b") == "memory:/a/b")
        #expect(try await storages.location("memory:a").display("/c") == "memory:/c")
    }
}

@Suite("Where a transfer goes")
struct CopyDestinationTests {
    private func destination(
        _ presence: CopyDestination.Presence,
        name: String = "s",
        folder: Bool = false,
        slash: Bool = false,
        several: Bool = false
    ) throws -> ItemPath {
        try CopyDestination(
            name: name,
            isFolder: folder,
            target: "/t",
            presence: presence,
            demandsFolder: slash,
            hasSeveralSources: several
        ).path
    }

    @Test("into a folder that exists, else to the name itself")
    func places() throws {
        #expect(try destination(.folder) == "/t/s")
        #expect(try destination(.folder, folder: true) == "/t/s")
        #expect(try destination(.folder, name: "", folder: true) == "/t")
        #expect(try destination(.nothing) == "/t")
        #expect(try destination(.nothing, folder: true, slash: true) == "/t")
        #expect(try destination(.other) == "/t")
    }

    @Test("several sources, or a slash, demand a folder; a folder never takes a file's place")
    func refusals() {
        #expect(throws: CocoaError.self) { try destination(.nothing, slash: true) }
        #expect(throws: CocoaError.self) { try destination(.nothing, several: true) }
        #expect(throws: CocoaError.self) { try destination(.other, several: true) }
        #expect(throws: CocoaError.self) { try destination(.other, slash: true) }
        #expect(throws: CocoaError.self) { try destination(.other, folder: true) }
    }
}
