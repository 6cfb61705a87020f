import FerryCloudLab
import Foundation
import Testing

@Suite("cp, mv and write with --keep-both")
struct KeepBothTests {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    @Test("a name that is taken stays with what has it, and the new item gets a free one, which is said")
    func names() async throws {
        try sandbox.make("a.txt", "a")
        try sandbox.make("b.txt", "b")
        let copy = try await sandbox.ferry("cp", "--keep-both", "a.txt", "b.txt")
        #expect(
            copy.code == 0 && copy.errors == "ferry: b.txt: is there already, the new one is 'b 2.txt'\n",
            "\(copy)"
        )
        let written = try await sandbox.ferry("write", "--keep-both", "b.txt", input: "w")
        #expect(written.errors == "ferry: b.txt: is there already, the new one is 'b 3.txt'\n", "\(written)")
        #expect(try await sandbox.ferry("mv", "--keep-both", "a.txt", "b.txt").code == 0)
        #expect(try await sandbox.ferry("cp", "--keep-both", "b.txt", "free.txt").errors.isEmpty)
        #expect(try sandbox.names() == ["b 2.txt", "b 3.txt", "b 4.txt", "b.txt", "free.txt"])
        #expect(
            ["b.txt", "b 2.txt", "b 3.txt", "b 4.txt", "free.txt"].map(sandbox.contents) == ["b", "a", "w", "a", "b"]
        )
    }

    @Test("folders are not merged, and sources of one name don't meet")
    func folders() async throws {
        try sandbox.make("one/x", "1")
        try sandbox.make("two/x", "2")
        try sandbox.makeFolder("d")
        #expect(try await sandbox.ferry("cp", "-r", "--keep-both", "one", "d").code == 0)
        #expect(try await sandbox.ferry("cp", "-r", "--keep-both", "one", "d").code == 0)
        #expect(try await sandbox.ferry("cp", "--keep-both", "one/x", "two/x", "d").code == 0)
        #expect(try sandbox.names("d") == ["one", "one 2", "one 2/x", "one/x", "x", "x 2"])
        #expect(sandbox.contents("d/x") == "1" && sandbox.contents("d/x 2") == "2")
    }

    @Test("it can be undone, and what had the name is untouched")
    func undo() async throws {
        try sandbox.make("a", "a")
        try sandbox.make("b", "b")
        let outcome = try await sandbox.bash("ferry mv --keep-both a b && ferry undo --any")
        #expect(outcome.code == 0, "\(outcome)")
        #expect(try sandbox.names() == ["a", "b"])
        #expect(sandbox.contents("a") == "a" && sandbox.contents("b") == "b")
    }

    @Test("a move onto itself, contents without a name, and replacing at the same time are refused")
    func refusals() async throws {
        try sandbox.make("a", "a")
        try sandbox.make("d/x", "x")
        try sandbox.make("e/x", "e")
        #expect(try await sandbox.ferry("mv", "--keep-both", "a", "a").code == 1)
        #expect(try await sandbox.ferry("cp", "-r", "--keep-both", "d/.", "e").code == 1)
        for command in ["cp", "mv"] {
            let both = try await sandbox.ferry(command, "--keep-both", "-f", "a", "e/x")
            #expect(both.code == 64 && both.errors.contains("--keep-both excludes --overwrite"), "\(both)")
        }
        #expect(try await sandbox.ferry("write", "--keep-both", "-f", "a").code == 64)
        #expect(try sandbox.names() == ["a", "d", "d/x", "e", "e/x"])
    }

    @Test("at a storage in the cloud nothing is replaced either, and the new name is said")
    func cloud() async throws {
        try await withCloudLab { lab in
            try await CloudAccount.dropbox.add(lab, to: sandbox)
            let storage = lab.dropbox.account.storage
            try storage.write(Data("a".utf8), to: "/a.txt")
            try storage.write(Data("b".utf8), to: "/b.txt")
            try sandbox.make("b.txt", "from here")
            let outcome = try await sandbox.bash(
                """
                ferry cp --keep-both cloud:a.txt cloud:b.txt && ferry cp --keep-both b.txt cloud: &&
                ferry mv --keep-both cloud:a.txt cloud:b.txt && ferry ls cloud:
                """
            )
            #expect(outcome.code == 0 && outcome.lines.count == 4 && outcome.lines.contains("b.txt"), "\(outcome)")
            let news = outcome.problems.filter { $0.contains("cloud:b.txt: is there already, the new one is '") }
            #expect(news.count == 3, "\(outcome)")
            // Names that ferry finds, since the history is on.
            #expect(storage.entries.map(\.path).sorted() == ["/b 2.txt", "/b 3.txt", "/b 4.txt", "/b.txt"])
            #expect(storage.contents(at: "/b.txt") == Data("b".utf8))
            let contents = storage.entries.compactMap { storage.contents(at: $0.path) }
            #expect(Set(contents) == [Data("b".utf8), Data("a".utf8), Data("from here".utf8)])
            let unrecorded = try await sandbox.bash(
                "FERRY_HISTORY=off ferry cp --keep-both 'cloud:b 2.txt' cloud:b.txt"
            )
            let words = "cloud:b.txt: is there already, the new one is 'b (1).txt'"
            #expect(unrecorded.code == 0 && unrecorded.errors.contains(words), "\(unrecorded)")
            #expect(storage.contents(at: "/b (1).txt") == Data("a".utf8))
            #expect(storage.contents(at: "/b.txt") == Data("b".utf8))
        }
    }
}
