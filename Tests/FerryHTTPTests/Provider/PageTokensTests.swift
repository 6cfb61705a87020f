import FerryHTTP
import Foundation
import Testing

@Suite("The tokens of pages")
struct PageTokensTests {
    @Test("end a listing that comes back to a page, the first included")
    func repeated() {
        var tokens = PageTokens(first: "a")
        #expect(tokens.note("b", afterEmptyPage: false) == nil)
        #expect(tokens.note("b", afterEmptyPage: false) == .repeated)
        #expect(tokens.note("a", afterEmptyPage: false) == .repeated)
    }

    @Test("end a listing of which no page has anything, but not one with empty pages in between")
    func empty() {
        var tokens = PageTokens()
        var faults = (0..<2_500).map { tokens.note("\($0)", afterEmptyPage: $0 % 900 != 0) }
        #expect(faults.allSatisfy { $0 == nil })
        faults = (2_500..<3_500).map { tokens.note("\($0)", afterEmptyPage: true) }
        #expect(faults.contains(.endless))
    }
}
