import FerryCloudLab
import FerryCore
import Foundation
import Testing

@testable import FerryOneDrive

@Suite("Searches of a drive")
struct OneDriveSearchTests {
    @Test(
        "ask the index for whole plain words of names",
        arguments: [
            ("name == 'report.txt'", "name == 'report.txt'", "TRUEPREDICATE", "report.txt"),
            ("name == 'annual report.txt'", "name == 'annual report.txt'", "TRUEPREDICATE", "report.txt"),
            (
                "name BEGINSWITH[c] 'annual rep' AND fileSize > 10", "name BEGINSWITH[c] 'annual rep'", "fileSize > 10",
                "annual"
            ),
        ]
    )
    func pushed(query: String, server: String, ferry: String, word: String) throws {
        let plan = OneDriveSearchRequest.plan(for: try FileQuery(format: query))
        #expect(plan.server == (try FileQuery(format: server)))
        #expect(plan.ferry == (try FileQuery(format: ferry)))
        #expect(OneDriveSearchRequest(plan.server)?.text == word)
    }

    @Test(
        "look at everything else here",
        arguments: [
            "name CONTAINS 'port'", "name ENDSWITH '.txt'", "fileSize > 10", "name == 'one' OR name == 'two'",
            "NOT name BEGINSWITH 'one two'", "name BEGINSWITH 'rep'", "name == '04-20-142.pdf'", "name == 'a.b.txt'",
            "name == 'ab'", "name == 'NOT'", "name == 'Résumé'", "pathExtension == 'txt'", "TRUEPREDICATE",
        ]
    )
    func here(query: String) throws {
        #expect(OneDriveSearchRequest.plan(for: try FileQuery(format: query)).server == .all)
    }

    @Test("double a quote before it is encoded")
    func quoting() {
        #expect(OneDriveSearchRequest.function("it's 5%") == "/search(q='it%27%27s%205%25')")
    }

    @Test("find an item by one search, with the path that the index does not tell")
    func index() async throws {
        try await withDrive { provider, lab in
            let storage = lab.graph.account.storage
            try storage.write(Data("a".utf8), to: "/Top/Inner Folder/Deep/report.txt")
            try storage.write(Data("about report.txt".utf8), to: "/Top/other.txt")
            try storage.write(Data("b".utf8), to: "/Elsewhere/report.txt")
            #expect(
                try await provider.found("name == 'report.txt'", in: "/Top") == ["/Top/Inner Folder/Deep/report.txt"]
            )
            #expect(lab.journal.exchanges(route: "search").count >= 1)
            #expect(lab.journal.exchanges(route: "delta").isEmpty)
            #expect(
                try await provider.found("name == 'report.txt'")
                    == ["/Top/Inner Folder/Deep/report.txt", "/Elsewhere/report.txt"]
            )
        }
    }

    @Test("miss what the index does not know yet, unless it is not to be asked")
    func lag() async throws {
        try await withDrive {
            $0.clock = LabClock()
            $0.graph.indexLag = .seconds(60)
        } perform: { provider, lab in
            try lab.graph.account.storage.write(Data("a".utf8), to: "/Top/report.txt")
            #expect(try await provider.found("name == 'report.txt'").isEmpty)
            let careful = try lab.oneDrive(options: ["search-index": "false"])
            #expect(try await careful.found("name == 'report.txt'") == ["/Top/report.txt"])
            await careful.invalidate()
            lab.clock.advance(by: .seconds(61))
            #expect(try await provider.found("name == 'report.txt'") == ["/Top/report.txt"])
        }
    }

    @Test("look into folders of other drives that shortcuts lead to")
    func shortcuts() async throws {
        try await withDrive { provider, lab in
            let other = lab.graph.makeAccount(email: "other@example.com")
            try other.storage.write(Data("a".utf8), to: "/Shared/Deep/report.txt")
            try lab.graph.addShortcut(to: "/Shared", of: other, at: "/Theirs", in: lab.graph.account)
            #expect(try await provider.found("name == 'report.txt'") == ["/Theirs/Deep/report.txt"])
        }
    }

    @Test("throw what a listing throws")
    func errors() async throws {
        try await withDrive { provider, lab in
            try lab.graph.account.storage.write(Data("a".utf8), to: "/a.txt")
            let missing = await #expect(throws: CocoaError.self) {
                try await provider.found("name == 'report.txt'", in: "/gone")
            }
            #expect(missing?.code == .fileNoSuchFile)
            await #expect(throws: CocoaError.self) { try await provider.found("name == 'report.txt'", in: "/a.txt") }
        }
    }
}
