import FerryCore
import FerryUndo
import Testing

@Suite("Refusals to undo")
struct UndoRefusalTests {
    @Test("say what to do, and whether a part was undone before")
    func suggestions() {
        let changed = UndoRefusal("/a", .changed)
        #expect(changed.recoverySuggestion == "look at it; nothing was undone")
        #expect(changed.suggestion(isRedo: true, isBegun: false) == "look at it; nothing was redone")
        #expect(changed.suggestion(isRedo: false, isBegun: true) == "look at it; a part was undone before")
        let occupied = UndoRefusal("/a", .occupied)
        #expect(occupied.recoverySuggestion == "move what is there away, then undo again")
        #expect(
            occupied.suggestion(isRedo: true, isBegun: true)
                == "move what is there away, then redo again; a part was redone before"
        )
        let dropped = UndoRefusal("/a", .dropped)
        #expect(dropped.recoverySuggestion == "it can't be undone")
        #expect(
            dropped.suggestion(isRedo: false, isBegun: true) == "it can't be undone; a part was undone before"
        )
    }
}
