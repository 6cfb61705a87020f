import FerryHTTP
import FerryWebDAV
import Foundation
import NIOCore
import Testing

@Suite("A request for properties")
struct WebDAVPropertyRequestTests {
    @Test("names each property with a prefix of its namespace")
    func names() {
        let names = [
            WebDAVPropertyName("getetag"), WebDAVPropertyName("a", namespace: "urn:x"),
            WebDAVPropertyName("b", namespace: "urn:\"&"), WebDAVPropertyName("c", namespace: "urn:x"),
        ]
        #expect(
            WebDAVPropertyRequest.prop(names)
                == "<d:prop xmlns:n1=\"urn:x\" xmlns:n2=\"urn:&quot;&amp;\"><d:getetag/><n1:a/><n2:b/><n1:c/></d:prop>"
        )
    }

    @Test("is a document that can be read back")
    func document() async throws {
        let source = try await WebDAVPropertyRequest(WebDAVPropertyRequest.item).body.makeSource()
        let tree = try MultistatusParser.tree(of: Data(try #require(try await source()).readableBytesView))
        #expect(tree.name == WebDAVPropertyName("propfind"))
        #expect(tree.first("prop")?.children.map(\.name) == WebDAVPropertyRequest.item)
    }

    @Test("text is escaped so that it comes back as it was")
    func escaping() throws {
        let text = "a<b>&\"'\t\n\r]]>\u{1F600}"
        let tree = try MultistatusParser.tree(of: Data("<a>\("\(text)\u{0}\u{1}".xmlEscaped)</a>".utf8))
        #expect(tree.text == text)
    }
}
