import FerryCore
import Testing

@testable import FerryDropbox

@Suite("Searches")
struct DropboxSearchTests {
    @Test(
        "ask the index for names and extensions",
        arguments: [
            ("name == 'report.txt'", "name == 'report.txt'", "TRUEPREDICATE"),
            ("name BEGINSWITH[c] 'rep' AND fileSize > 10", "name BEGINSWITH[c] 'rep'", "fileSize > 10"),
            ("pathExtension == 'txt'", "pathExtension == 'txt'", "TRUEPREDICATE"),
        ]
    )
    func pushed(query: String, server: String, ferry: String) throws {
        let plan = DropboxSearchRequest.plan(for: try FileQuery(format: query))
        #expect(plan.server == (try FileQuery(format: server)))
        #expect(plan.ferry == (try FileQuery(format: ferry)))
    }

    @Test(
        "look at everything else here",
        arguments: [
            "name CONTAINS 'port'", "name ENDSWITH '.txt'", "fileSize > 10", "name == 'a' OR name == 'b'",
            "NOT name BEGINSWITH 'a'", "name BEGINSWITH '.'", "name == '50% off'", "TRUEPREDICATE",
        ]
    )
    func here(query: String) throws {
        #expect(DropboxSearchRequest.plan(for: try FileQuery(format: query)).server == .all)
    }
}
