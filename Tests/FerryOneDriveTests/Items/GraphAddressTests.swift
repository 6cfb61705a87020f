import FerryCore
import Testing

@testable import FerryOneDrive

@Suite("Addresses of items")
struct GraphAddressTests {
    @Test("are by identifier, or by a path that ends with a colon before a route")
    func routes() {
        let root = GraphAddress(drive: "/me/drive", id: "root")
        #expect(root.route() == "/me/drive/root")
        #expect(root.route("/children") == "/me/drive/root/children")
        let file = root.appending("A").appending("b.txt")
        #expect(file.route() == "/me/drive/root:/A/b.txt")
        #expect(file.route("/content") == "/me/drive/root:/A/b.txt:/content")
        let item = GraphAddress(drive: "/drives/1", id: "5!7").appending("x")
        #expect(item.route("/content", [("$select", "id,name")]) == "/drives/1/items/5!7:/x:/content?$select=id,name")
    }

    @Test(
        "encode each name by itself",
        arguments: [
            ("a b", "a%20b"), ("50%", "50%25"), ("#1", "%231"), ("it's", "it%27s"), ("a+b&c", "a%2Bb%26c"),
            ("ä", "%C3%A4"), ("x?y", "x%3Fy"),
        ]
    )
    func encoding(name: String, encoded: String) {
        #expect(GraphAddress(drive: "", id: "root").appending(name).route() == "/root:/\(encoded)")
    }

    @Test(
        "of sites are read from what people have",
        arguments: [
            ("https://contoso.sharepoint.com/sites/team", "/sites/contoso.sharepoint.com:/sites/team"),
            ("contoso.sharepoint.com:/sites/a b", "/sites/contoso.sharepoint.com:/sites/a%20b"),
            ("contoso.sharepoint.com", "/sites/contoso.sharepoint.com"),
            ("contoso.sharepoint.com,1-2,3-4", "/sites/contoso.sharepoint.com,1-2,3-4"),
        ]
    )
    func sites(text: String, path: String) {
        #expect(OneDriveDrive.sitePath(text) == path)
    }

    @Test("of items in other drives name the drive")
    func identifiers() {
        #expect(OneDriveItemID("a#b") == OneDriveItemID(drive: "a", item: "b"))
        #expect(OneDriveItemID("b").text == "b")
        let revision = OneDriveRevision(of: OneDriveItemID(drive: "a", item: "b"), version: "2.0")
        #expect(OneDriveRevision(revision.path) == revision)
        #expect(OneDriveRevision("/a@1") == nil)
    }
}
