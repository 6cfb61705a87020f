import FerryCloudLab
import Foundation
import Testing

/// Issue 27: each `sync` sent documents again, since the service's differ from what was sent for good.
@Suite("Documents that SharePoint changes as it takes them")
struct OneDriveDocumentTests {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    @Test("are sent once, with a word about it, and again only when one of the two has changed")
    func sync() async throws {
        var options = CloudLab.Options()
        options.clock = .running()
        options.graph.rewritesOfficeFiles = true
        try await withCloudLab(options) { lab in
            let graph = lab.graph
            let site = graph.makeSite(name: "Team", path: "sites/team")
            let login = try await sandbox.bash(
                """
                ferry remote add o --type onedrive --client-id app --option graph-url=\(graph.graphURL) \
                --option token-url=\(graph.tokenURL) --option site=https://\(site.hostName)/\(site.path)
                ferry remote login o --token-stdin
                mkdir t; echo one > t/a.docx; echo two > t/b.txt; touch -d 2020-01-02T03:04:05Z t/*
                """,
                input: graph.makeAccessToken()
            )
            #expect(login.code == 0, "\(login)")
            /// Synchronises after a change here; returns the number of uploads, and that of words about documents.
            func sync(_ change: String = "true") async throws -> [Int] {
                lab.journal.removeAll()
                let outcome = try await sandbox.bash("\(change); ferry sync t o:T")
                #expect(outcome.code == 0, "\(outcome)")
                let uploads = lab.journal.exchanges.count { ["createUploadSession", "upload"].contains($0.route) }
                return [uploads, outcome.errors.components(separatedBy: "1 document changed by the service").count - 1]
            }
            #expect(try await sync() == [2, 1])
            #expect(site.storage.contents(at: "/T/a.docx")?.count ?? 0 > 1_000)
            #expect(try await sync() == [0, 0])
            #expect(try await sync("echo three > t/a.docx") == [1, 1])
            #expect(try await sync() == [0, 0])
            // The size and the date of what is there now are those of nothing that was sent.
            try site.storage.write(Data("of somebody else".utf8), to: "/T/a.docx")
            #expect(try await sync() == [1, 1])
            #expect(try await sync() == [0, 0])
        }
    }
}
