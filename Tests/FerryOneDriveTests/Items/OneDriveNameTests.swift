import FerryCore
import Testing

@testable import FerryOneDrive

@Suite("Names at OneDrive")
struct OneDriveNameTests {
    @Test(
        "that are too long are counted as the service counts them",
        arguments: [
            (String(repeating: "n", count: 255), nil),
            (String(repeating: "n", count: 256), "the name has 256 characters, and OneDrive takes 255 at most"),
            (String(repeating: "😀", count: 127), nil),
            (String(repeating: "😀", count: 128), "the name has 256 UTF-16 code units, and OneDrive takes 255 at most"),
        ] as [(String, String?)]
    )
    func excess(name: String, words: String?) {
        #expect(OneDriveName.excess(of: .root.appending(name)) == words)
    }

    @Test(
        "that the service refuses are encoded, and come back",
        arguments: [
            ("why?", "why？"), ("a:b", "a：b"), (" lead", "␠lead"), ("trail ", "trail␠"), ("trail.", "trail．"),
            ("back\\slash", "back＼slash"), ("a/b", "a／b"), ("\u{7F}", "␡"), ("~$doc", "～$doc"), ("..", ".．"),
            ("？", "‛？"), ("～$doc", "‛～$doc"),
        ]
    )
    func encoded(name: String, stored: String) {
        #expect(OneDriveName.encode(name, in: .personal).utf8.elementsEqual(stored.utf8))
        #expect(OneDriveName.decode(stored, in: .personal).utf8.elementsEqual(name.utf8))
    }

    @Test(
        "that the service takes stay as they are",
        arguments: ["plain", "~", "~tilde", "#hash", "100%", "it's", "ä ö", ".hidden", "a.b", "cafe\u{301}", "💾"]
    )
    func plain(name: String) {
        for type in [nil, OneDriveDriveType.personal, .business] {
            #expect(OneDriveName.encode(name, in: type).utf8.elementsEqual(name.utf8))
            #expect(OneDriveName.decode(name, in: type).utf8.elementsEqual(name.utf8))
        }
    }

    @Test("of devices are refused by drives of organizations only", arguments: ["CON", "com1", "desktop.ini", ".lock"])
    func devices(name: String) {
        #expect(OneDriveName.dependsOnDrive(name))
        #expect(OneDriveName.encode(name, in: .personal) == name)
        let stored = OneDriveName.encode(name, in: .documentLibrary)
        #expect(stored != name)
        #expect(OneDriveName.decode(stored, in: .documentLibrary) == name)
    }

    @Test("in other cases and other forms are one")
    func keys() {
        #expect(OneDriveName.key("/A/É") == OneDriveName.key("/a/é"))
        #expect(OneDriveName.key("/caf\u{E9}") == OneDriveName.key("/cafe\u{301}"))
    }
}
