import FerryCloudLab
import Foundation
import Testing

@Suite("Items at a cloud service that are removed for good")
struct CloudRemovalTests {
    @Test("go together, and one that is missing keeps no other", arguments: CloudAccount.all)
    func together(account: CloudAccount) async throws {
        try await withCloudLab { lab in
            let sandbox = try Sandbox()
            try await account.add(lab, to: sandbox)
            let storage = account.storage(lab)
            for number in 0..<25 { try storage.write(Data("\(number)".utf8), to: "/\(number).txt") }
            try storage.write(Data("stays".utf8), to: "/stays.txt")
            lab.journal.removeAll()
            let locations = (0..<25).map { "cloud:\($0).txt" } + ["cloud:gone.txt"]
            let removed = try await sandbox.bash("ferry rm --permanent \(locations.joined(separator: " "))")
            #expect(removed.code == 1 && removed.errors.contains("gone.txt"), "\(removed)")
            #expect(removed.errors.split(separator: "\n").count == 1, "\(removed)")
            #expect(storage.entries.map(\.path) == ["/stays.txt"])
            #expect(lab.journal.exchanges(route: "files/delete_batch").count == (account.name == "dropbox" ? 1 : 0))
            #expect(lab.journal.exchanges(route: "$batch").count == (account.name == "dropbox" ? 0 : 2))
            #expect(lab.journal.exchanges.allSatisfy { !["delete", "files/delete_v2"].contains($0.route) })
            // It is the last command, and one that can't be undone.
            let undone = try await sandbox.ferry("undo", "--any")
            #expect(undone.code == 1, "\(undone)")
        }
    }
}
