import Foundation
import Testing

@Suite("Plans that are kept")
struct PlanTests {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        for name in ["1", "2", "3"] { try sandbox.make("a/\(name)", name) }
    }

    @Test("what has changed on either side since is left alone, and told")
    func changes() async throws {
        #expect(try await sandbox.ferry("sync", "--plan", "plan", "a", "b").code == 0)
        try sandbox.make("a/1", "changed")
        try sandbox.make("a/new", "new")
        try sandbox.make("b/2", "mine")
        let outcome = try await sandbox.ferry("sync", "--run-plan", "plan", "a", "b")
        #expect(outcome.code == 1 && outcome.output == "1 copied (1 byte), 2 failed\n", "\(outcome)")
        let told = Set(outcome.errors.split(separator: "\n").map { $0.prefix(22) })
        #expect(told == ["ferry: a/1: it has cha", "ferry: b/2: already ex"], "\(outcome)")
        #expect(try sandbox.names("b") == ["2", "3"] && sandbox.contents("b/2") == "mine")
    }

    @Test("a dry run of a plan shows this plan, not what would be done by now")
    func dryRun() async throws {
        #expect(try await sandbox.ferry("sync", "--plan", "plan", "--exclude", "2", "a", "b").code == 0)
        try sandbox.make("a/new", "new")
        let outcome = try await sandbox.ferry("sync", "-n", "--run-plan", "plan", "a", "b")
        #expect(
            outcome.lines == [
                "make folder  ./  (missing at target)", "add  1  (missing at target)", "add  3  (missing at target)",
                "would be: 2 copied (2 bytes)",
            ],
            "\(outcome)"
        )
        #expect(try !sandbox.names().contains("b"))
    }

    @Test(
        "a plan says itself what is copied and removed",
        arguments: ["--exclude=1", "--max-delete=5", "--checksum", "--track-renames", "--plan=other"]
    )
    func refusals(_ option: String) async throws {
        #expect(try await sandbox.ferry("sync", "--plan", "plan", "a", "b").code == 0)
        let outcome = try await sandbox.ferry("sync", "--run-plan", "plan", option, "a", "b")
        #expect(outcome.code == 64, "\(outcome)")
        #expect(try sandbox.names() == ["a", "a/1", "a/2", "a/3", "plan"])
    }

    @Test("a plan is of two folders, whatever they are called from where the command is given")
    func places() async throws {
        try sandbox.make("elsewhere/a/1", "other")
        try sandbox.makeLink("link", to: "a")
        #expect(try await sandbox.ferry("sync", "--plan", "plan", "a", "b").code == 0)
        let other = try await sandbox.bash("cd elsewhere; ferry sync --run-plan ../plan a b")
        let words = "is a plan from \(sandbox.path)/a to \(sandbox.path)/b, name these"
        #expect(other.errors == "ferry: ../plan: \(words)\n" && other.code == 1, "\(other)")
        let same = try await sandbox.bash("cd elsewhere; ferry sync --run-plan ../plan ../link/ ../b/")
        #expect(same.output == "3 copied (3 bytes)\n", "\(same)")
        #expect(try sandbox.names("elsewhere") == ["a", "a/1"])
    }

    @Test("a plan takes the place of an earlier one, and of nothing else")
    func replacing() async throws {
        try sandbox.make("letter", "dear")
        try sandbox.makeFolder("folder")
        for name in ["letter", "folder"] {
            let outcome = try await sandbox.ferry("sync", "--plan", name, "a", "b")
            #expect(outcome.errors.hasPrefix("ferry: \(name): already exists") && outcome.code == 1, "\(outcome)")
        }
        #expect(sandbox.contents("letter") == "dear")
        #expect(try await sandbox.ferry("sync", "--plan", "plan", "a", "b").code == 0)
        let first = sandbox.contents("plan")
        try sandbox.make("a/4", "4")
        #expect(try await sandbox.ferry("sync", "--plan", "plan", "a", "b").code == 0)
        #expect(sandbox.contents("plan") != first)
        let missing = try await sandbox.ferry("sync", "--run-plan", "gone", "a", "b")
        #expect(missing.errors.hasPrefix("ferry: gone: no such file"), "\(missing)")
    }
}
