import FerryCore
import Testing

@Suite("A media type")
struct ContentTypeTests {
    @Test(
        "follows from a name's extension, whatever its case",
        arguments: [
            ("a.png", "image/png"), ("a.PNG", "image/png"), ("a.b.Pdf", "application/pdf"),
            ("a.tar.gz", "application/gzip"),
            ("a", nil), ("a.", nil), (".png", nil), ("png", nil), ("a.unheard", nil), ("a.éé", nil),
            ("a.webmanifest", "application/manifest+json"),
        ] as [(String, String?)]
    )
    func types(name: String, type: String?) {
        #expect(ContentType.ofFile(named: name) == type)
    }
}
