import Foundation
import Testing

@Suite("The trash of this machine")
struct TrashTests {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    @Test("what is put there can be listed, and comes back where it was, or elsewhere")
    func putAndRestore() async throws {
        try sandbox.make("a", "1")
        try sandbox.make("d/x", "2")
        #expect(try await sandbox.ferry("trash", "put", "a", "d").code == 0)
        #expect(try sandbox.names() == [])
        let paths = try await trashed().compactMap { $0["path"] as? String }
        #expect(Set(paths) == [sandbox.path + "/a", sandbox.path + "/d"])
        #expect(try await sandbox.ferry("trash", "list").output.contains("  \(sandbox.path)/a\n"))
        #expect(try await sandbox.ferry("trash", "restore", "a").code == 0)
        #expect(try await sandbox.ferry("trash", "restore", "d", "--to", "e").code == 0)
        #expect(try sandbox.names() == ["a", "e", "e/x"])
        let gone = try await sandbox.ferry("trash", "restore", "a")
        #expect(gone.errors == "ferry: a: not in the trash, see 'ferry trash list'\n")
        #expect(gone.code == 1)
    }

    @Test("restoring replaces nothing, and emptying wants to be told what")
    func caution() async throws {
        try sandbox.make("a", "old")
        _ = try await sandbox.ferry("trash", "put", "a")
        try sandbox.make("a", "new")
        #expect(try await sandbox.ferry("trash", "restore", "a").errors.hasPrefix("ferry: a: already exists"))
        #expect(sandbox.contents("a") == "new")
        #expect(try await sandbox.ferry("trash", "empty").code == 64)
        #expect(try await sandbox.ferry("trash", "put", ".").errors.contains("is never removed as a whole"))
        let id = try #require(try await trashed().first?["id"] as? String)
        #expect(try await sandbox.ferry("trash", "empty", "--id", "nonsense").code == 1)
        #expect(try await sandbox.ferry("trash", "empty", "--id", id).code == 0)
        #expect(try await trashed().isEmpty)
        let listed = try await sandbox.ferry("trash", "list")
        #expect(listed.code == 0 && !listed.output.contains(sandbox.path), "\(listed)")
    }

    /// The sandbox's items in the trash, which others on this machine use, too.
    private func trashed() async throws -> [[String: Any]] {
        let listed = try await sandbox.ferry("trash", "list", "--json")
        #expect(listed.code == 0, "\(listed)")
        return try listed.objects.filter {
            ($0["path"] as? String)?.hasPrefix(sandbox.path + "/") ?? false
        }
    }
}
