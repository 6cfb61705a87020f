import Foundation
import HTTPTypes
import NIOCore
import Testing

@testable import FerryHTTP

@Suite("The parser of answers")
struct HTTPAnswerParserTests {
    @Test("gives the same parts wherever the bytes are split", arguments: wellFormed)
    func splits(sample: Sample) throws {
        for size in 1...sample.bytes.count {
            let outcome = Self.parse(sample, pieces: size)
            #expect(outcome == .answer(sample.status, sample.body, keepsConnection: sample.keepsConnection), "\(size)")
        }
    }

    @Test("takes nothing for an answer that could be read in two ways, or isn't one", arguments: malformed)
    func refuses(text: String) {
        for size in [1, 7, text.utf8.count] {
            let outcome = Self.parse(Sample(text, status: 0, body: ""), pieces: size)
            #expect(outcome == .failure(.cannotParseResponse), "\(size)")
        }
    }

    @Test("takes no answer for complete that is cut, at whatever byte", arguments: wellFormed)
    func cuts(sample: Sample) {
        guard !sample.endsWithConnection else { return }
        for count in 0..<sample.bytes.count {
            var parser = HTTPAnswerParser(maximumHeaderSize: 1000)
            parser.begin(sample.method)
            parser.append(ByteBuffer(bytes: sample.bytes.prefix(count)))
            var isComplete = false
            while let part = try? parser.next() { isComplete = isComplete || part == .end }
            isComplete = isComplete || parser.finish()
            #expect(!isComplete)
        }
    }

    @Test("bounds heads, trailers and the lines of chunks")
    func bounds() {
        let long = String(repeating: "x", count: 2000)
        for text in [
            "HTTP/1.1 200 OK\r\nA: \(long)\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;\(long)\r\na\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nA: \(long)\r\n\r\n",
            String(repeating: "HTTP/1.1 103 Early Hints\r\n\r\n", count: 100),
        ] {
            for size in [1, 100, text.utf8.count] {
                #expect(Self.parse(Sample(text, status: 0, body: ""), pieces: size) == .failure(.cannotParseResponse))
            }
        }
    }

    @Test("keeps what is behind an answer apart from it")
    func junk() throws {
        var parser = HTTPAnswerParser(maximumHeaderSize: 1000)
        parser.begin(.get)
        parser.append(ByteBuffer(string: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\n"))
        while let part = try parser.next() {
            if case .body(let bytes) = part { #expect(bytes == ByteBuffer(string: "ok")) }
        }
        #expect(parser.hasJunk)
        #expect(!parser.keepsConnection)
    }

    @Test("reads fields anew that differ from those of the answer before")
    func remembered() throws {
        var parser = HTTPAnswerParser(maximumHeaderSize: 1000)
        for (fields, expected) in [
            ("A: 1\r\nB: 2\r\n", ["A": "1", "B": "2"]), ("A: 1\r\nB: 3\r\n", ["A": "1", "B": "3"]),
            ("B: 3\r\n", ["B": "3"]), ("AB: 1\r\nB : 2", nil),
            ("a: 1\r\nB: 2\r\nC:\t4 \r\n", ["a": "1", "B": "2", "C": "4"]),
        ] as [(String, [String: String]?)] {
            parser.begin(.head)
            parser.append(ByteBuffer(string: "HTTP/1.1 200 OK\r\n\(fields)\r\n"))
            guard let expected else {
                #expect(throws: URLError.self) { try parser.next() }
                parser = HTTPAnswerParser(maximumHeaderSize: 1000)
                continue
            }
            guard case .head(let head) = try parser.next() else {
                Issue.record("there is no head")
                continue
            }
            #expect(Dictionary(head.headerFields.map { ($0.name.rawName, $0.value) }) { one, _ in one } == expected)
            let last = try parser.next()
            #expect(last == .end)
        }
    }

    // MARK: -

    struct Sample: CustomTestStringConvertible {
        var text: String
        var status: Int
        var body: String
        var method = HTTPRequest.Method.get
        var keepsConnection = true
        var endsWithConnection = false

        init(
            _ text: String,
            status: Int = 200,
            body: String,
            method: HTTPRequest.Method = .get,
            keepsConnection: Bool = true,
            endsWithConnection: Bool = false
        ) {
            (self.text, self.status, self.body, self.method) = (text, status, body, method)
            (self.keepsConnection, self.endsWithConnection) = (keepsConnection, endsWithConnection)
        }

        var bytes: [UInt8] { Array(text.utf8) }
        var testDescription: String { String(text.prefix(80)) }
    }

    enum Outcome: Equatable {
        case answer(Int, String, keepsConnection: Bool)
        case failure(URLError.Code)
        case cut
    }

    private static let wellFormed = [
        Sample("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", body: "hello"),
        Sample("\r\n\r\nHTTP/1.1 200\nContent-Length:5\n\nhello", body: "hello"),
        Sample("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", status: 404, body: ""),
        Sample("HTTP/1.1 204 No Content\r\n\r\n", status: 204, body: ""),
        Sample("HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n", status: 304, body: ""),
        Sample("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", body: "", method: .head),
        Sample(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n3\r\nhel\r\n02;a=\"b\"\r\nlo\r\n0\r\nA: b\r\n\r\n",
            body: "hello"
        ),
        Sample(
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 E\r\nA: b\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na",
            body: "a"
        ),
        Sample(
            "HTTP/1.1 200 OK\r\nConnection: foo, Close\r\nContent-Length: 1\r\n\r\na",
            body: "a",
            keepsConnection: false
        ),
        Sample("HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\na", body: "a", keepsConnection: false),
        Sample("HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 1\r\n\r\na", body: "a"),
        Sample("HTTP/1.1 200 OK\r\n\r\nto the end", body: "to the end", endsWithConnection: true),
        Sample("HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\n\r\nend", body: "end", endsWithConnection: true),
    ]

    private static let malformed = [
        "HTTP/1.1 2x0 OK\r\n\r\n", "HTTP/1.1 099 OK\r\n\r\n", "HTTP/2 200 OK\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n",
        "HTTP/1.1 2000 OK\r\n\r\n", "ICY 200 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nContent-Length: 5, 5\r\n\r\nhello", "HTTP/1.1 200 OK\r\nContent-Length: +5\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n", "HTTP/1.1 200 OK\r\nA : b\r\n\r\n", "HTTP/1.1 200 OK\r\n: b\r\n\r\n",
        "HTTP/1.1 200 OK\r\nA\r\n\r\n", "HTTP/1.1 200 OK\r\nA: b\rC: d\r\n\r\n", "HTTP/1.1 200 OK\r\nA: b\0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\nhello",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhello\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1000000000000000\r\n",
    ]

    private static func parse(_ sample: Sample, pieces size: Int) -> Outcome {
        var parser = HTTPAnswerParser(maximumHeaderSize: 1000)
        parser.begin(sample.method)
        var (status, body) = (0, ByteBuffer())
        var rest = sample.bytes[...]
        do {
            while true {
                while let part = try parser.next() {
                    switch part {
                    case .interim: break
                    case .head(let head): status = head.status.code
                    case .body(var bytes): body.writeBuffer(&bytes)
                    case .end: return .answer(status, String(buffer: body), keepsConnection: parser.keepsConnection)
                    }
                }
                if rest.isEmpty { break }
                parser.append(ByteBuffer(bytes: rest.prefix(size)))
                rest = rest.dropFirst(size)
            }
        } catch {
            return .failure((error as? URLError)?.code ?? .unknown)
        }
        return parser.finish() ? .answer(status, String(buffer: body), keepsConnection: sample.keepsConnection) : .cut
    }
}
