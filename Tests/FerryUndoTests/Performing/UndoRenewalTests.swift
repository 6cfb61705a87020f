import FerryCore
import FerryUndo
import Foundation
import Testing

@Suite("What came back as another is noted where it was noted before")
struct UndoRenewalTests {
    private func stamp(_ eTag: String, _ seconds: Double, size: Int64 = 6) -> ItemStamp {
        var item = FileObject(path: "/f", type: .file)
        (item.eTag, item.size, item.modifiedDate) = (eTag, size, Date(timeIntervalSince1970: seconds))
        return ItemStamp(item)
    }

    /// Returns whether a step's version can be mistaken for another, after something was brought back in its place.
    private func isDoubtful(_ former: ItemStamp, displacing displaced: ItemStamp, at path: ItemPath = "/f") throws
        -> Bool
    {
        let renewal = try JSONDecoder().decode(
            UndoRenewal.self,
            from: JSONEncoder().encode(
                Renewal(path: path, old: stamp("b", 5), new: stamp("b2", 5), displaced: displaced)
            )
        )
        let step = UndoStep.replaced("/f", left: stamp("b", 5), former: former, .soughtVersion(SoughtVersion()))
        guard case .replaced(_, let left, _, .soughtVersion(let sought)?) = step.renewed([renewal]) else { return true }
        #expect(path != "/f" || left?.eTag == "b2")
        return sought.isDoubtful
    }

    private struct Renewal: Codable {
        var path: ItemPath
        var old: ItemStamp
        var new: ItemStamp
        var displaced: ItemStamp?
    }

    @Test("a version with the date and size of a later one may be that one, where its eTag says so or nothing does")
    func doubtful() throws {
        #expect(try isDoubtful(stamp("a", 1), displacing: stamp("c", 1)))
        #expect(try !isDoubtful(stamp("a", 1), displacing: stamp("a", 1)))
        #expect(try !isDoubtful(stamp("a", 1), displacing: stamp("c", 2)))
        #expect(try !isDoubtful(stamp("a", 1), displacing: stamp("c", 1, size: 7)))
        #expect(try !isDoubtful(stamp("a", 1), displacing: stamp("c", 1), at: "/g"))
    }
}
