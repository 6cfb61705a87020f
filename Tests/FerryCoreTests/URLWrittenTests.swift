import FerryCore
import Foundation
import Testing

@Suite("A URL that a person has written")
struct URLWrittenTests {
    @Test(
        "keeps its escapes, and what needs one gets one",
        arguments: [
            ("http://h/ä/b%20c/", "http://h/%C3%A4/b%20c/"),
            ("https://h:8443/a b?q=x y#z", "https://h:8443/a%20b?q=x%20y#z"),
            ("http://h/100%/%4", "http://h/100%25/%254"), ("http://h/%e4%2F", "http://h/%e4%2F"),
            (" http://h/a\n", "http://h/a"), ("http://h", "http://h"), ("http://u@h/%zz", "http://u@h/%25zz"),
            ("http://[::1]:80/ä", "http://[::1]:80/%C3%A4"), ("http://h?x=ä", "http://h?x=%C3%A4"),
        ]
    )
    func escapes(text: String, url: String) {
        #expect(URL(written: text)?.absoluteString == url)
        // A URL that is escaped already stays as it is.
        #expect(URL(written: url)?.absoluteString == url)
    }

    @Test("is none without a scheme or a host", arguments: ["", "h/a", "http:/a", "http:///a", "http://"])
    func none(text: String) {
        #expect(URL(written: text) == nil)
    }
}
