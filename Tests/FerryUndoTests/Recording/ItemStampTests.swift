import FerryCore
import FerryUndo
import Foundation
import Testing

@Suite("Notes of items")
struct ItemStampTests {
    @Test("an item that was noted with a fraction is the one whose storage keeps whole seconds")
    func fractions() {
        let date = Date(timeIntervalSince1970: 1_700_000_001.987_254)
        var noted = FileObject(path: "/a", type: .file)
        (noted.size, noted.modifiedDate) = (1, date)
        var told = noted
        told.modifiedDate = date.rounded(to: .seconds(1))
        #expect(ItemStamp(noted).matches(told) && ItemStamp(noted).resembles(told))
        told.modifiedDate = date.addingTimeInterval(1)
        #expect(!ItemStamp(noted).matches(told))
    }
}
