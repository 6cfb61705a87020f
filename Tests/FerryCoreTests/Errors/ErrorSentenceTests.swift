import FerryCore
import Foundation
import Testing

@Suite("An error in words")
struct ErrorSentenceTests {
    @Test(
        "is a whole sentence that names the item",
        arguments: [
            (CocoaError.noSuchItem("/a.txt"), "“/a.txt” could not be found: no such file or folder."),
            (.itemExists("/a.txt"), "“/a.txt” already exists."),
            (.file(.fileReadNoPermission, path: "/b"), "“/b” could not be read: you are not allowed to read it."),
            (.file(.fileWriteOutOfSpace, path: "/b"), "“/b” could not be changed: the storage is full."),
            (.file(.fileReadUnknown, path: "/b"), "“/b” could not be read."),
            (.file(.fileWriteUnknown, path: "/b"), "“/b” could not be written."),
            (.notAFolder("/b"), "“/b” could not be read: not a folder."),
            (.unsupported("locking", path: "/b"), "“/b” could not be used: locking is not possible here."),
        ]
    )
    func sentence(error: CocoaError, text: String) {
        #expect(error.localizedDescription == text)
        #expect(!"\(error)".contains("(null)"), "\(error)")
        #expect(error.userInfo[NSFilePathErrorKey] as? String != nil)
    }

    @Test("of a request is a whole sentence with the item or the URL")
    func request() throws {
        let url = try #require(URL(string: "https://user:secret@example.org/a"))
        let error = URLError.answer(.timedOut, description: "no answer came in time", url: url)
        #expect(error.localizedDescription == "The request for “https://example.org/a” failed: no answer came in time.")
        #expect(!"\(error)".contains("(null)"), "\(error)")
        let about = URLError.answer(.timedOut, about: "/a", description: "no answer came in time", url: url)
        #expect(about.localizedDescription == "The request for “/a” failed: no answer came in time.")
        #expect(PreconditionFailedError(path: "/a").localizedDescription == "“/a” has changed meanwhile.")
    }
}
