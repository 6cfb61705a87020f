import FerryCloudLab
import Foundation
import Testing

@Suite("The test of a remote whose service was never met")
struct RemoteTrialTests {
    let sandbox: Sandbox

    private static let options: CloudLab.Options = {
        var options = CloudLab.Options()
        options.clock = .running()
        return options
    }()

    init() throws {
        sandbox = try Sandbox()
    }

    @Test("tries each ability, a line each, and leaves nothing behind", arguments: CloudAccount.all)
    func all(account: CloudAccount) async throws {
        try await withCloudLab(Self.options) { lab in
            try await account.add(lab, to: sandbox)
            let token = account.token(lab)
            let login = try await sandbox.bash("ferry remote login cloud --token-stdin", input: token)
            try #require(login.code == 0)
            try account.storage(lab).write(Data("mine".utf8), to: "/mine.txt")
            let outcome = try await sandbox.ferry("remote", "test", "cloud")
            #expect(outcome.code == 0 && !outcome.output.contains("✗"), "\(outcome)")
            for name in ["write", "read parts of files", "copy and move on the server", "public links", "versions"] {
                #expect(outcome.lines.contains("✓ \(name)"), "\(outcome)")
            }
            #expect(!"\(outcome)".contains(token))
            #expect(account.storage(lab).entries.map(\.path) == ["/mine.txt"])
            let object = try #require(try await sandbox.ferry("remote", "test", "cloud", "--json").objects.first)
            let tried = try #require(object["tried"] as? [String])
            for name in ["write", "public links", "trash", "changes", "checksums", "thumbnails", "keep dates"] {
                #expect(tried.contains(name), "\(tried)")
            }
            // Nothing that these services have is passed over.
            #expect(object["abilities"] as? [String] == tried, "\(outcome)")
            #expect((object["failed"] as? [String])?.isEmpty == true && object["works"] as? Bool == true)
        }
    }

    @Test("says which ability fails, with the service's words, and tries the others")
    func failing() async throws {
        try await withCloudLab(Self.options) { lab in
            try await CloudAccount.dropbox.add(lab, to: sandbox, logsIn: false)
            let dropbox = lab.dropbox
            let scopes: Set = [
                "account_info.read", "files.metadata.read", "files.metadata.write", "files.content.read",
                "files.content.write",
            ]
            let token = dropbox.makeAccessToken(scopes: scopes)
            let login = try await sandbox.bash("ferry remote login cloud --token-stdin", input: token)
            try #require(login.code == 0)
            let outcome = try await sandbox.ferry("remote", "test", "cloud")
            #expect(outcome.code == 1 && outcome.errors.contains("one ability failed"), "\(outcome)")
            let line = "✗ public links: the app was not given the permission 'sharing."
            #expect(outcome.lines.contains { $0.hasPrefix(line) }, "\(outcome)")
            #expect(outcome.lines.contains("✓ versions") && outcome.lines.contains("✓ trash"), "\(outcome)")
            #expect(dropbox.account.storage.entries.isEmpty)
        }
    }

    @Test("says that a trial broke off, and not that the ability is missing, if the server is only busy for a while")
    func busy() async throws {
        try await withCloudLab(Self.options) { lab in
            try await CloudAccount.dropbox.add(lab, to: sandbox)
            lab.faults.add(.serverError(status: 503), route: "sharing/list_shared_links", count: 100)
            let outcome = try await sandbox.ferry("remote", "test", "cloud")
            #expect(outcome.lines.contains { $0.hasPrefix("– public links (broke off: ") }, "\(outcome)")
            #expect(!outcome.output.contains("✗"), "\(outcome)")
            #expect(outcome.code == 1 && outcome.errors.contains("broke off, run the test again"), "\(outcome)")
        }
    }

    @Test("says that an ability fails, and not that its trial broke off, if other bytes come than the service has")
    func otherBytes() async throws {
        var options = Self.options
        options.mutant = CloudMutant.named("dropbox-bytes")
        try await withCloudLab(options) { lab in
            try await CloudAccount.dropbox.add(lab, to: sandbox)
            let outcome = try await sandbox.ferry("remote", "test", "cloud")
            #expect(outcome.code == 1, "\(outcome)")
            #expect(outcome.lines.contains("✗ write: what arrived is not what Dropbox has"), "\(outcome)")
        }
    }

    @Test("says of nothing that it was tried if there is no folder for it, and looks whether there is one after all")
    func nowhere() async throws {
        try await withCloudLab(Self.options) { lab in
            try await CloudAccount.dropbox.add(lab, to: sandbox)
            let refusal = Fault.answer(status: 400, contentType: "text/plain", body: "no")
            lab.faults.add(refusal, route: "files/create_folder_v2")
            let outcome = try await sandbox.ferry("remote", "test", "cloud")
            #expect(outcome.code == 1 && outcome.lines.contains { $0.hasPrefix("✗ write: ") }, "\(outcome)")
            #expect(outcome.lines.contains("– versions (not tried: there is no folder to try it in)"), "\(outcome)")
            #expect(!lab.journal.exchanges(route: "files/delete_v2").isEmpty)
            lab.faults.add(refusal, route: "files/create_folder_v2")
            let object = try #require(try await sandbox.ferry("remote", "test", "cloud", "--json").objects.first)
            #expect(object["tried"] as? [String] == ["write"] && object["works"] as? Bool == false)
        }
    }

    @Test("takes back what it has made when something fails: links")
    func leftovers() async throws {
        try await withCloudLab(Self.options) { lab in
            try await CloudAccount.dropbox.add(lab, to: sandbox)
            let refusal = Fault.answer(status: 400, contentType: "text/plain", body: "no")
            lab.faults.add(refusal, route: "sharing/list_shared_links")
            let outcome = try await sandbox.ferry("remote", "test", "cloud")
            #expect(outcome.lines.contains { $0.hasPrefix("✗ public links: ") }, "\(outcome)")
            let revoked = lab.journal.exchanges(route: "sharing/revoke_shared_link").count { $0.status == 200 }
            #expect(revoked == 1, "\(outcome)")
            #expect(lab.dropbox.account.storage.entries.isEmpty)
        }
    }

    @Test("changes nothing if that is not wanted")
    func looking() async throws {
        try await withCloudLab(Self.options) { lab in
            try await CloudAccount.dropbox.add(lab, to: sandbox)
            let outcome = try await sandbox.ferry("remote", "test", "cloud", "--no-full")
            #expect(outcome.code == 0 && outcome.lines.contains("✓ public links"), "\(outcome)")
            #expect(lab.journal.exchanges(route: "files/create_folder_v2").isEmpty)
            #expect(lab.journal.exchanges(route: "files/upload").isEmpty)
        }
    }
}
