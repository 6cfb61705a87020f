import FerryCloudLab
import FerryCore
import Foundation
import Testing

@testable import FerryOneDrive

@Suite("A drive in one listing")
struct OneDriveTreeTests {
    /// Returns all items, by the one list of the service.
    private func tree(_ provider: OneDriveFileProvider) async throws -> [FileObject] {
        var items: [FileObject] = []
        for try await page in try #require(provider.treeListing(path: .root)) { items += page }
        return items.sorted { $0.path < $1.path }
    }

    @Test("a notebook is shown, and nothing of what is in it", arguments: GraphDriveType.allCases)
    func notebook(type: GraphDriveType) async throws {
        try await withDrive {
            $0.graph.driveType = type
        } perform: { provider, lab in
            let storage = lab.graph.account.storage
            try lab.graph.makePackage(at: "/Folder/Notes")
            for name in ["Open Notebook.onetoc2", "Section.one", "Group/Section.one", "Group/Inner/Section.one"] {
                try storage.write(Data("a".utf8), to: "/Folder/Notes/\(name)")
            }
            try storage.write(Data("a".utf8), to: "/Folder/a.txt")
            let items = try await tree(provider)
            #expect(items.map(\.path) == ["/Folder", "/Folder/Notes", "/Folder/a.txt"])
            #expect(items.map(\.type) == [.directory, .other, .file])
        }
    }

    @Test("what is in a notebook is dropped also if it comes before it")
    func contentsFirst() async throws {
        func item(_ id: String, in folder: String, _ facets: String) -> String {
            #"{"id":"\#(id)","name":"\#(id)",\#(facets),"parentReference":{"driveId":"d","id":"\#(folder)"}}"#
        }
        let folder = #""folder":{"childCount":0}"#
        // More than are held back come as they are in the list.
        let more = (0...20_000).map { item("\($0)", in: "top", #""file":{}"#) }
        let entries =
            [
                item("Page", in: "Group", #""file":{}"#), item("Group", in: "Notes", folder),
                item("Section", in: "Notes", #""file":{}"#),
                item("Notes", in: "top", folder + #","package":{"type":"oneNote"}"#),
                #"{"id":"top","name":"root","root":{},\#(folder)}"#,
            ]
        for lists in [[entries], [more, entries]] {
            let (provider, _) = try OneDriveFileProvider.scripted { _, number in
                let next = #","@odata.nextLink":"https://graph.microsoft.com/v1.0/next\#(number)""#
                let list = lists[number].joined(separator: ",")
                return .json(#"{"value":[\#(list)]\#(number < lists.count - 1 ? next : "")}"#)
            }
            let shown = try await tree(provider).map(\.path).filter { $0.lastName.contains(where: \.isLetter) }
            #expect(shown == ["/Notes"])
        }
    }

    @Test("of several mentions of an item the last one counts")
    func lastMention() async throws {
        try await withDrive { provider, lab in
            let storage = lab.graph.account.storage
            try storage.write(Data("old".utf8), to: "/Folder/Inner/a.txt")
            try storage.write(Data("newer".utf8), to: "/Folder/Inner/a.txt")
            let listed = try await provider.contentsOfDirectory(path: "/Folder/Inner")
            let files = try await tree(provider).filter(\.isRegularFile)
            #expect(files.map(\.size) == [5] && files.map(\.eTag) == listed.map(\.eTag))
        }
    }

    @Test("very many items come as they arrive, and those that have changed meanwhile come again")
    func many() async throws {
        let count = 20_001
        func item(_ number: Int, _ eTag: Int) -> String {
            #"{"id":"\#(number)","name":"\#(number)","eTag":"\#(eTag)","file":{},"parentReference":{"id":"top"}}"#
        }
        let next = "https://graph.microsoft.com/v1.0/next"
        let all = [#"{"id":"top","name":"root","root":{},"folder":{}}"#] + (0..<count).map { item($0, 1) }
        let bodies = [
            #"{"value":[\#(all.joined(separator: ","))],"@odata.nextLink":"\#(next)"}"#,
            #"{"value":[\#(item(0, 1)),\#(item(1, 2)),\#(item(count, 1))]}"#,
        ]
        let (provider, transport) = try OneDriveFileProvider.scripted { _, number in .json(bodies[number]) }
        var pages = try #require(provider.treeListing(path: .root)).makeAsyncIterator()
        #expect(try await pages.next()?.count == count)
        #expect(transport.sent.count == 1)
        #expect(try await pages.next()?.map(\.name) == ["1", String(count)])
        #expect(try await pages.next() == nil)
    }
}
