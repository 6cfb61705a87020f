import FerryCore
import FerryWebDAV
import Foundation
import NIOCore
import Testing

@Suite("A multistatus document")
struct MultistatusParserTests {
    private func parse(_ text: String, others: [WebDAVPropertyName] = []) throws -> [MultistatusEntry] {
        try MultistatusParser.entries(of: Data(text.utf8), others: others, keepsRefusals: true)
    }

    private func parseByPieces(_ text: String, of length: Int) throws -> [MultistatusEntry] {
        let parser = try MultistatusParser()
        var entries: [MultistatusEntry] = []
        var rest = ByteBuffer(string: text)
        while let piece = rest.readSlice(length: min(length, rest.readableBytes)), piece.readableBytes > 0 {
            try parser.parse(piece)
            entries += parser.takeEntries()
        }
        try parser.finish()
        return entries + parser.takeEntries()
    }

    private func isRefused(_ text: String) -> Bool {
        do {
            _ = try parse(text)
            return false
        } catch {
            return (error as? URLError)?.code == .cannotParseResponse
        }
    }

    @Test("tells what each server says, whatever its prefixes are")
    func properties() throws {
        let entries = try parse(MultistatusText.folder)
        #expect(entries.map(\.hrefText).count == 4)
        let folder = entries[0].properties
        #expect(folder.isCollection == true)
        #expect(folder.creationDate == Date(timeIntervalSince1970: 1_769_851_800))
        #expect(folder.modifiedDate == folder.creationDate)
        #expect(folder.eTag == "\"1000-6120\"")
        #expect(folder.contentLength == nil)
        #expect(entries[0].refusals.map(\.status) == [404])
        #expect(entries[0].refusals.first?.names == [WebDAVPropertyName("getcontentlength")])
        let file = entries[1].properties
        #expect(file.isCollection == false)
        #expect(file.contentLength == 1_234_567)
        #expect(file.eTag == "\"a&b<\"")
        #expect(file.contentType == "image/jpeg")
        #expect(file.displayName == "caf\u{E9} & <tea>")
        #expect(entries[3].properties.isCollection == true)
    }

    @Test("has nothing where a property is empty, in a success or not")
    func emptyProperties() throws {
        let file = try parse(MultistatusText.folder)[2].properties
        #expect(file.contentLength == nil)
        #expect(file.modifiedDate == nil)
        #expect(file.eTag == nil)
        #expect(file.isCollection == false)
    }

    @Test("counts every propstat that is a success, and none that isn't")
    func propstats() throws {
        let text = MultistatusText.multistatus(
            """
            <d:response><d:href>/a</d:href>
            <d:propstat><d:status>HTTP/1.1 200 OK</d:status><d:prop><d:resourcetype/></d:prop></d:propstat>
            <d:propstat><d:prop><d:getcontentlength>7</d:getcontentlength><x:more>1<x:in a="b">2</x:in></x:more></d:prop>
            <d:status>HTTP/1.1 200 OK</d:status></d:propstat>
            <d:propstat><d:prop><d:getetag>"no"</d:getetag></d:prop><d:status>HTTP/1.1 403 Forbidden</d:status>
            <d:error><d:cannot-modify-protected-property/></d:error>
            <d:responsedescription>never</d:responsedescription></d:propstat></d:response>
            """
        )
        let more = WebDAVPropertyName("more", namespace: "urn:x")
        let entry = try #require(try parse(text, others: [more]).first)
        #expect(entry.properties.isCollection == false)
        #expect(entry.properties.contentLength == 7)
        #expect(entry.properties.eTag == nil)
        #expect(entry.properties[more]?.text == "1")
        #expect(entry.properties[more]?.children.first?.text == "2")
        #expect(!entry.isSuccess)
        #expect(entry.refusals.first?.status == 403)
        #expect(entry.refusals.first?.description == "never")
        #expect(entry.error?.first("cannot-modify-protected-property") != nil)
    }

    @Test("has a status for an item as a whole, or for several")
    func statuses() throws {
        let text = MultistatusText.multistatus(
            """
            <d:response><d:href>/a</d:href><d:href>/b</d:href><d:status>HTTP/1.1 423 Locked</d:status>
            <d:error><d:lock-token-submitted/></d:error><d:responsedescription>locked</d:responsedescription></d:response>
            """
        )
        let entries = try parse(text)
        #expect(entries.map(\.hrefText) == ["/a", "/b"])
        #expect(entries.map(\.status) == [423, 423])
        #expect(entries[1].error?.first("lock-token-submitted") != nil)
        #expect(entries[1].description == "locked")
    }

    @Test("ends with the token of a report")
    func syncToken() throws {
        let parser = try MultistatusParser()
        let text = MultistatusText.multistatus("<d:sync-token> http://example.org/7 </d:sync-token>")
        try parser.parse(ByteBuffer(string: text))
        try parser.finish()
        #expect(parser.syncToken == "http://example.org/7")
    }

    @Test("is the same in pieces of any length", arguments: [1, 2, 3, 7, 64, 1000])
    func pieces(length: Int) throws {
        let whole = try parse(MultistatusText.folder)
        let pieces = try parseByPieces(MultistatusText.folder, of: length)
        #expect(pieces.map(\.href) == whole.map(\.href))
        #expect(pieces.map(\.properties) == whole.map(\.properties))
    }

    @Test("that ends early is refused, wherever it ends")
    func truncated() {
        let bytes = Array(MultistatusText.folder.utf8)
        let end = bytes.lastIndex(of: UInt8(ascii: ">")) ?? 0
        for length in 0..<end {
            #expect(throws: URLError.self, "cut at \(length)") {
                try MultistatusParser.entries(of: Data(bytes[..<length]))
            }
        }
    }

    @Test(
        "that can't be trusted is refused",
        arguments: [
            "",
            "<!DOCTYPE a><d:multistatus xmlns:d='DAV:'/>",
            "<!DOCTYPE a SYSTEM 'file:///etc/passwd'><d:multistatus xmlns:d='DAV:'/>",
            "<!DOCTYPE a [<!ENTITY a 'aa'><!ENTITY b '&a;&a;'>]><d:multistatus xmlns:d='DAV:'>&b;</d:multistatus>",
            "<d:multistatus xmlns:d='DAV:'><d:response><d:href>/&a;</d:href></d:response></d:multistatus>",
            "<d:multistatus xmlns:d='DAV:'/><d:multistatus xmlns:d='DAV:'/>",
            "<d:multistatus xmlns:d='DAV:'/>junk",
            "<d:multistatus xmlns:d='urn:other'/>",
            "<multistatus/>",
            "<html><body>Sorry</body></html>",
            "Internal Server Error",
            "<d:multistatus xmlns:d='DAV:'><d:response></d:multistatus>",
            "<d:multistatus xmlns:d='DAV:'><e:response/></d:multistatus>",
            "<d:multistatus xmlns:d='DAV:'>a & b</d:multistatus>",
            "<d:multistatus xmlns:d='DAV:'>\u{1}</d:multistatus>",
            "<d:multistatus xmlns:d='DAV:'><d:response/></d:multistatus>",
            "<d:multistatus xmlns:d='DAV:'><d:response><d:href> </d:href></d:response></d:multistatus>",
            "<d:multistatus xmlns:d='DAV:'><d:response><d:href>/a</d:href><d:propstat><d:prop/></d:propstat></d:response>"
                + "</d:multistatus>",
            "<d:multistatus xmlns:d='DAV:'><d:response><d:href>/a</d:href><d:status>fine</d:status></d:response>"
                + "</d:multistatus>",
        ]
    )
    func untrusted(text: String) {
        #expect(isRefused(text))
    }

    @Test("with bytes that are not UTF-8 is refused")
    func notUTF8() {
        var bytes = Array(MultistatusText.multistatus(MultistatusText.response("/caf_")).utf8)
        bytes = bytes.map { $0 == UInt8(ascii: "_") ? 0xE9 : $0 }
        #expect(throws: URLError.self) { try MultistatusParser.entries(of: Data(bytes)) }
    }

    @Test("in another encoding is read all the same")
    func otherEncoding() throws {
        let text =
            "<?xml version='1.0' encoding='ISO-8859-1'?>"
            + MultistatusText.multistatus(MultistatusText.response("/a", "<d:displayname>caf\u{E9}</d:displayname>"))
        let data = try #require(text.data(using: .isoLatin1))
        #expect(try MultistatusParser.entries(of: data).first?.properties.displayName == "caf\u{E9}")
    }

    @Test("with a million elements inside each other is refused long before its end")
    func nested() throws {
        let parser = try MultistatusParser()
        let piece = ByteBuffer(string: String(repeating: "<x:a>", count: 1000))
        var fed = 0
        #expect(throws: URLError.self) {
            try parser.parse(ByteBuffer(string: "<d:multistatus xmlns:d='DAV:' xmlns:x='urn:x'>"))
            for _ in 0..<1000 {
                try parser.parse(piece)
                fed += 1
            }
        }
        #expect(fed == 0)
    }

    @Test(
        "that never comes to the point is refused",
        arguments: ["<d:href>/", "<!--", "<?x ", "<d:response a='", "<x:", "</d:", "<![CDATA["]
    )
    func endless(beginning: String) throws {
        let parser = try MultistatusParser()
        let piece = ByteBuffer(string: String(repeating: "a", count: 64 << 10))
        var fed = 0
        #expect(throws: URLError.self) {
            try parser.parse(ByteBuffer(string: "<d:multistatus xmlns:d='DAV:'><d:response>" + beginning))
            for _ in 0..<1000 {
                try parser.parse(piece)
                fed += 1
            }
        }
        #expect(fed < 64)
    }

    @Test("whose entry never ends is refused")
    func endlessEntry() throws {
        let parser = try MultistatusParser(others: [WebDAVPropertyName("more", namespace: "urn:x")])
        let piece = ByteBuffer(string: String(repeating: "<x:more>a</x:more>", count: 1000))
        var fed = 0
        #expect(throws: URLError.self) {
            let start = "<d:multistatus xmlns:d='DAV:' xmlns:x='urn:x'><d:response><d:propstat><d:prop>"
            try parser.parse(ByteBuffer(string: start))
            for _ in 0..<1000 {
                try parser.parse(piece)
                fed += 1
            }
        }
        #expect(fed < 10)
    }

    @Test("other documents can be read as trees")
    func tree() throws {
        let text = """
            <d:error xmlns:d="DAV:" xmlns:s="http://sabredav.org/ns"><s:exception>Sabre\\DAV</s:exception> <s:message>no
            </s:message></d:error>
            """
        let tree = try MultistatusParser.tree(of: Data(text.utf8))
        #expect(tree.name == WebDAVPropertyName("error"))
        #expect(tree.text.isEmpty)
        #expect(tree.first(WebDAVPropertyName("message", namespace: "http://sabredav.org/ns"))?.text == "no\n")
        #expect(throws: URLError.self) { try MultistatusParser.tree(of: Data("<a><b></a>".utf8)) }
    }
}
