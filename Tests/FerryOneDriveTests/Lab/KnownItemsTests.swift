import FerryCore
import Testing

@testable import FerryOneDrive

@Suite("What is known of places")
struct KnownItemsTests {
    private func file(_ id: String, at path: ItemPath, isFolder: Bool = false) -> FileObject {
        var item = FileObject(path: path, type: isFolder ? .directory : .file)
        item.id = id
        return item
    }

    @Test("a place counts for those who asked before it was left")
    func moments() {
        let known = KnownItems()
        known.note(file("a", at: "/a"))
        let first = known.mark()
        known.note(file("a", at: "/b"))
        let second = known.mark()
        #expect(known.view().places(of: "a", since: first.version).map(\.path) == ["/a", "/b"])
        #expect(known.view().places(of: "a", since: second.version).map(\.path) == ["/b"])
    }

    @Test("what somebody is told does not count again for that one, but for others")
    func told() {
        let known = KnownItems()
        known.note(file("f", at: "/f", isFolder: true))
        known.note(file("a", at: "/f/a"))
        let other = known.mark()
        let next = known.mark()
        known.note(gone: ["f"], below: [], there: [file("b", at: "/b")], before: next)
        #expect(known.view().places(of: "a", since: next.version).isEmpty)
        #expect(known.view().places(of: "a", since: other.version).map(\.path) == ["/f/a"])
        #expect(known.view().places(of: "f", since: other.version).map(\.place.isFolder) == [true])
    }

    @Test("what one is told by an older list does not keep it from somebody who has asked later")
    func toldLate() {
        let known = KnownItems()
        known.note(file("a", at: "/a"))
        // The first one's list is under way while the second begins.
        let first = known.mark()
        let second = known.mark()
        known.note(gone: ["a"], below: [], there: [], before: first)
        #expect(known.view().places(of: "a", since: first.version).isEmpty)
        #expect(known.view().places(of: "a", since: second.version).map(\.path) == ["/a"])
        let third = known.mark()
        known.note(gone: ["a"], below: [], there: [], before: third)
        #expect(known.view().places(of: "a", since: third.version).isEmpty)
        #expect(known.view().places(of: "a", since: second.version).map(\.path) == ["/a"])
    }

    @Test("a place that was seen on the way to telling somebody counts as told")
    func toldWhileListing() {
        let known = KnownItems()
        known.note(file("a", at: "/A/a"))
        let old = known.mark()
        let next = known.mark()
        // Listing the folder that has moved.
        known.note(file("a", at: "/B/a"))
        known.note(gone: [], below: [], there: [file("a", at: "/B/a")], before: next)
        #expect(known.view().places(of: "a", since: next.version).map(\.path) == ["/B/a"])
        #expect(known.view().places(of: "a", since: old.version).map(\.path) == ["/A/a", "/B/a"])
    }

    @Test("a moment of another memory, or of one that has forgotten, is not remembered")
    func forgetting() {
        let known = KnownItems(most: 3)
        #expect(!known.remembers(KnownItems().mark()))
        let moment = known.mark()
        #expect(known.remembers(moment))
        known.note((0..<3).map { file("\($0)", at: "/\($0)") })
        #expect(known.remembers(moment))
        known.note(file("last", at: "/last"))
        #expect(!known.remembers(moment))
    }

    @Test("folders above known items that were not seen themselves are known as such")
    func unseen() {
        let known = KnownItems()
        known.note(file("a", at: "/x/y/a"))
        known.note(file("y", at: "/x/y", isFolder: true))
        #expect(known.view().unseenFolders == ["/x"])
    }
}
