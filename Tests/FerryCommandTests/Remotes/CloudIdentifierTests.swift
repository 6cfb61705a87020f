import FerryCloudLab
import Foundation
import Testing

@Suite("Folders that are named by their identifiers")
struct CloudIdentifierTests {
    /// Returns the identifier of an item, as `stat` shows it.
    private func id(of path: String, in sandbox: Sandbox) async throws -> String {
        let stat = try await sandbox.ferry("stat", "--json", path)
        let value = try JSONSerialization.jsonObject(with: Data(stat.output.utf8)) as? [String: Any]
        return try #require(value?["id"] as? String, "\(stat)")
    }

    @Test("and what is below them can be listed, read and written", arguments: CloudAccount.all)
    func below(account: CloudAccount) async throws {
        try await withCloudLab { lab in
            let sandbox = try Sandbox()
            try await account.add(lab, to: sandbox)
            let storage = account.storage(lab)
            try storage.write(Data("one".utf8), to: "/Album/deep/1")
            let album = "cloud:id:" + (try await id(of: "cloud:Album", in: sandbox))
            #expect(try await sandbox.ferry("cat", album + "/deep/1").output == "one")
            #expect(try await sandbox.ferry("ls", album + "/deep").output == "1\n")
            let put = try await sandbox.bash(
                "echo two > two; ferry cp two '\(album)/deep/2'; ferry rm '\(album)/deep/1'"
            )
            #expect(put.code == 0, "\(put)")
            #expect(storage.contents(at: "/Album/deep/2") == Data("two\n".utf8))
            #expect(storage.contents(at: "/Album/deep/1") == nil)
        }
    }

    @Test("are synchronised inside one storage, but not into themselves", arguments: CloudAccount.all)
    func sync(account: CloudAccount) async throws {
        try await withCloudLab { lab in
            let sandbox = try Sandbox()
            try await account.add(lab, to: sandbox)
            let storage = account.storage(lab)
            try storage.write(Data("one".utf8), to: "/Album/1")
            let album = "cloud:id:" + (try await id(of: "cloud:Album", in: sandbox))
            let copied = try await sandbox.ferry("sync", album, "cloud:Copy")
            #expect(copied.code == 0, "\(copied)")
            #expect(storage.contents(at: "/Copy/1") == Data("one".utf8))
            let inner = try await sandbox.ferry("sync", album, "cloud:Album/inner")
            #expect(inner.code == 1, "\(inner)")
            #expect(storage.contents(at: "/Album/inner/1") == nil)
        }
    }
}
