import FerryCloudLab
import FerryCore
import FerryHTTP
import FerryMemory
import FerryTransfer
import Foundation
import Testing

@testable import FerryDropbox

@Suite("What is no file like others at Dropbox")
struct DropboxDocumentTests {
    @Test("a document of Dropbox Paper is shown without a size, and read as what it is exported as")
    func paper() async throws {
        try await withAccount { provider, lab in
            let page = Data("<h1>Plan</h1>".utf8)
            try lab.dropbox.account.storage.makeDocument(at: "/Docs/Plan.paper", exports: ["html": page])
            try lab.dropbox.account.storage.write(Data("a".utf8), to: "/Docs/a.txt")
            let items = try await provider.contentsOfDirectory(path: "/Docs")
            let document = try #require(items.first { $0.name == "Plan.paper" })
            #expect(document.extras[.exportFormat] == "html")
            #expect(document.size == nil && document.extras[.checksums] == nil)
            #expect(items.first { $0.name == "a.txt" }?.extras[.exportFormat] == nil)
            #expect(try await provider.contents(path: "/Docs/Plan.paper") == page)
            #expect(lab.journal.exchanges(route: "files/export").count == 1)
        }
    }

    @Test("a folder with such a document is fetched whole")
    func fetchedWithOthers() async throws {
        try await withAccount { provider, lab in
            let page = Data("<h1>Plan</h1>".utf8)
            try lab.dropbox.account.storage.makeDocument(at: "/Docs/Plan.paper", exports: ["html": page])
            try lab.dropbox.account.storage.write(Data("a".utf8), to: "/Docs/a.txt")
            let disk = MemoryFileProvider()
            let transfer = try Transfer(from: TransferPlace(provider, "/Docs"), to: TransferPlace(disk, "/Docs"))
            let report = try await transfer.run()
            #expect(report.isComplete, "\(report.failures)")
            #expect(try await disk.contents(path: "/Docs/Plan.paper") == page)
            #expect(try await disk.contents(path: "/Docs/a.txt") == Data("a".utf8))
        }
    }

    @Test("a file that can't be downloaded nor exported is refused when it is read, and not before")
    func notExportable() async throws {
        let (provider, _) = try DropboxFileProvider.scripted { sent, _ in
            .refusal(sent.route == "files/export" ? #"{".tag":"non_exportable"}"# : #"{".tag":"unsupported_file"}"#)
        }
        let error = await #expect(throws: CocoaError.self) { try await provider.contents(path: "/form.gform") }
        #expect(error?.code == .featureUnsupported)
        #expect(error?.refusalByDropbox?.tags == ["non_exportable"])
    }

    @Test("a link works for those that it was made for, or is not made")
    func scope() async throws {
        try await withCloudLab { lab in
            let member = lab.dropbox.makeAccount(name: "Member", isTeamMember: true)
            try member.storage.write(Data("a".utf8), to: "/Member/a.txt")
            let team = try DropboxStage.provider(of: lab, token: lab.dropbox.makeAccessToken(for: member))
            let wanted = ShareOptions(scope: .organization)
            let link = try await team.publicLink(to: "/a.txt", options: wanted)
            #expect(link.scope == .organization)
            #expect(try await team.publicLinks(to: "/a.txt") == [link])
            #expect(try await team.publicLink(to: "/a.txt", options: wanted) == link)
            let other = await #expect(throws: CocoaError.self) {
                try await team.publicLink(to: "/a.txt", options: ShareOptions(scope: .anyone))
            }
            #expect(other?.code == .fileWriteFileExists)
            await team.invalidate()
            try lab.dropbox.account.storage.write(Data("b".utf8), to: "/b.txt")
            let single = try DropboxStage.provider(of: lab, token: lab.dropbox.makeAccessToken())
            let error = await #expect(throws: CocoaError.self) {
                try await single.publicLink(to: "/b.txt", options: wanted)
            }
            #expect(error?.code == .featureUnsupported)
            #expect(try await single.publicLinks(to: "/b.txt").isEmpty)
            let invited = try await single.publicLink(to: "/b.txt", options: ShareOptions(scope: .invited))
            #expect(invited.scope == .invited)
            await single.invalidate()
        }
    }
}
