import FerryCore
import Testing

@testable import FerryDropbox

@Suite("Paths of the API")
struct DropboxPathTests {
    @Test(
        "are written as the API takes them",
        arguments: [
            (ItemPath.root, ""), ("/a/B.txt", "/a/B.txt"), ("id:abc", "id:abc"),
            ("rev:a1c10ce0dd78", "rev:a1c10ce0dd78"), ("id:abc/trail /x", "id:abc/trail␠/x"),
            // Nothing is below a revision: it must not be taken for what is below the root.
            ("rev:a1c10ce0dd78/x", "rev:a1c10ce0dd78/x"),
            ("/trail /x", "/trail␠/x"), ("/back\\slash", "/back＼slash"), ("/del\u{7F}", "/del␡"),
        ]
    )
    func writing(path: ItemPath, text: String) {
        #expect(DropboxPath.text(path) == text)
    }

    @Test("come back as they were", arguments: ["a/b", ".", "..", "trail ", "␠", "‛", "a\\", "plain", "CON", " lead"])
    func roundTrip(name: String) {
        let path = ItemPath.root.appending("folder").appending(name)
        #expect(DropboxPath.path(DropboxPath.text(path)) == path)
    }

    @Test("are one in any spelling", arguments: [("/Straße/A", "/straße/a"), ("/cafe\u{301}", "/CAF\u{C9}")])
    func spelling(first: ItemPath, second: ItemPath) {
        #expect(DropboxPath.key(first) == DropboxPath.key(second))
    }

    @Test("get the names of their folders from what was seen")
    func seen() {
        let seen = DropboxSeenItems()
        seen.note(FileObject(name: "Fotos", in: .root, type: .directory, id: "1"))
        seen.note(FileObject(name: "Zürich", in: "/Fotos", type: .directory, id: "2"))
        #expect(seen.path("/fotos/zürich/Bild.jpg") == "/Fotos/Zürich/Bild.jpg")
        #expect(seen.path("/elsewhere/Bild.jpg") == "/elsewhere/Bild.jpg")
        seen.forget("/fotos")
        #expect(seen.item(at: "/fotos/zürich") == nil)
    }
}
