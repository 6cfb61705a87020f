import FerryCore
import Foundation
import Testing

@testable import FerryFTP

@Suite("Replies of FTP servers")
struct ReplyTests {
    private func replies(_ text: String) -> [FTPReply] {
        var assembler = FTPReplyAssembler()
        // By bytes: CR LF is one character to a string.
        return text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .compactMap { assembler.add($0) }
    }

    @Test("of one line and of many are put together")
    func assembles() {
        let replies = replies(
            "220-Welcome\r\n 220 not yet\r\n221 nor this\r\n220-more\r\n220 ready\r\n331 password\r\n"
        )
        #expect(replies.map(\.code) == [220, 331])
        #expect(
            replies.first?.lines.map { String(decoding: $0, as: UTF8.self) }
                == ["Welcome", " 220 not yet", "221 nor this", "more", "ready"]
        )
        #expect(replies.first?.isSuccess == true)
        #expect(replies.last?.isIntermediate == true)
    }

    @Test("that begin with no code are none", arguments: ["hello", "12 x", "2200 x", "99 x", "999 x", ""])
    func refuses(_ line: String) {
        #expect(replies(line) == [])
    }

    @Test(
        "mean what their code and words say",
        arguments: [
            (550, "No such file or directory", FTPRefusalMeaning.missing),
            (550, "/x: No such file or directory", .missing),
            (550, "The system cannot find the file specified.", .missing),
            (550, "Permission denied.", .denied), (550, "Access is denied.", .denied),
            (553, "Could not create file: Read-only file system", .readOnly),
            (550, "Failed to open file.", .unclear), (553, "Could not create file.", .unclear),
            (552, "Exceeded storage allocation", .full), (452, "x", .full), (451, "No space left on device", .full),
            (550, "x: Is a directory", .isAFolder), (550, "x: not a plain file.", .isAFolder),
            (550, "Not a directory", .notAFolder), (550, "File exists", .exists),
            (500, "Unknown command", .unsupported), (502, "x", .unsupported), (530, "Not logged in", .notLoggedIn),
            (425, "x", .unavailable), (553, "File name too long", .badName),
        ]
    )
    func means(_ code: Int, _ text: String, _ meaning: FTPRefusalMeaning) {
        #expect(FTPRefusalMeaning(FTPReply(code: code, lines: [Array(text.utf8)])) == meaning)
    }

    @Test("to FEAT say what a server can do")
    func features() {
        var facts = FTPServerFacts()
        let text =
            "211-Features:\n UTF8\n REST STREAM\n MLST type*;size*;\n HASH SHA-1;SHA-256*;MD5\n SITE COPY\n211 End"
        facts.learn(features: replies(text)[0])
        #expect(facts.has("UTF8") && facts.has("MLST") && facts.copiesOnServer)
        #expect(facts.checksumCommands == [.sha1: "HASH SHA-1", .sha256: "HASH SHA-256", .md5: "HASH MD5"])
        #expect(!facts.has("MFMT"))
    }

    @Test("with control characters are shown without them, and short")
    func boundsText() {
        let reply = FTPReply(code: 550, lines: [Array("a\u{1b}[31mb".utf8) + [UInt8](repeating: 0x41, count: 9_000)])
        #expect(reply.text.hasPrefix("a [31mb"))
        #expect(reply.text.utf8.count <= 300)
    }
}

@Suite("Commands to FTP servers")
struct CommandTests {
    @Test("never hold a line's end", arguments: ["a\r\nDELE b", "a\nb", "a\rb", "a\u{0}b"])
    func refusesLineBreaks(_ name: String) throws {
        let path = FTPPath(item: "/x", bytes: Array(name.utf8))
        let error = #expect(throws: CocoaError.self) { try FTPCommand("DELE", path) }
        #expect(error?.code == .fileWriteInvalidFileName)
    }

    @Test("for transfers have each byte in their URL that could mean something else")
    func encodesPaths() {
        #expect(
            FTPPath(item: "/", bytes: Array("/a b/ü;type=a%?#".utf8)).urlPath == "%2Fa%20b/%C3%BC%3Btype%3Da%25%3F%23"
        )
    }
}

@Suite("URLs of FTP servers")
struct AddressTests {
    @Test(
        "say where the root is, and how it is protected",
        arguments: [
            ("ftp://h/", 21, FTPSecurity.none, [] as [String], false),
            ("ftp://h/a/b%20c", 21, .none, ["a", "b c"], false),
            ("ftp://h:2121//srv/x", 2121, .none, ["srv", "x"], true),
            ("ftp://h/%2Fsrv", 21, .none, ["srv"], true),
            ("ftps://h/", 990, .implicit, [], false),
            ("ftps://h:990/", 990, .implicit, [], false),
            ("ftps://h:21/", 21, .explicit, [], false),
            ("ftp://user:secret@[::1]:2121/x", 2121, .none, ["x"], false),
        ]
    )
    func reads(_ url: String, _ port: Int, _ security: FTPSecurity, _ names: [String], _ isAbsolute: Bool) throws {
        let address = try FTPAddress(try #require(URL(string: url)), security: nil)
        #expect(address.port == port)
        #expect(address.security == security)
        #expect(address.names.map { String(decoding: $0, as: UTF8.self) } == names)
        #expect(address.isAbsolute == isAbsolute)
    }

    @Test(
        "without a scheme are refused with a hint, not guessed",
        arguments: ["host/folder", "http://h/", "ftp:///x", "ftp://h/%0D%0ADELE%20x"]
    )
    func refuses(_ url: String) throws {
        let error = #expect(throws: URLError.self) { try FTPAddress(try #require(URL(string: url)), security: nil) }
        #expect(error?.code == .unsupportedURL)
    }

    @Test("show no password anywhere")
    func hidesPasswords() throws {
        let files = try FTPFileProvider(
            baseURL: try #require(URL(string: "ftp://ferry:s3cret@example.org/x/")),
            credential: .init(user: "ferry", secret: .password("s3cret"))
        )
        #expect(!files.debugDescription.contains("s3cret"))
        #expect(files.baseURL?.absoluteString == "ftp://example.org/x/")
        #expect(!"\(files.configuration)".contains("s3cret"))
        #expect(!String(reflecting: files.credential).contains("s3cret"))
    }
}
