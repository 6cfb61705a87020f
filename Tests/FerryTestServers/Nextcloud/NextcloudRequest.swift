import Foundation
import HTTPTypes
import NIOCore

/// A request to the stand-in, taken apart.
struct NextcloudRequest: Sendable {
    let head: HTTPRequest
    let connection: LoopbackStreamedRequest
    /// The names of the path, decoded.
    let names: [String]
    let query: [String: String]
    var user = ""

    init(_ streamed: LoopbackStreamedRequest) {
        head = streamed.head
        connection = streamed
        let parts = streamed.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        names = Self.names(of: String(parts[0]))
        query = parts.count > 1 ? Self.form(String(parts[1])) : [:]
    }

    var method: String { head.method.rawValue }

    var path: String { "/" + names.joined(separator: "/") }

    subscript(name: String) -> String? {
        HTTPField.Name(name).flatMap { head.headerFields[$0] }
    }

    static func names(of path: String) -> [String] {
        path.split(separator: "/").map {
            String($0).percentDecoded.composed
        }
    }

    /// A query, or a form's body.
    static func form(_ text: String) -> [String: String] {
        var values: [String: String] = [:]
        for pair in text.split(separator: "&") {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = sides.count > 1 ? String(sides[1].replacing("+", with: " ")) : ""
            values[String(sides[0]).removingPercentEncoding ?? ""] = value.removingPercentEncoding ?? value
        }
        return values
    }

    /// The values of a form or of JSON, whichever the body is.
    func parameters() async throws -> [String: String] {
        let body = try await connection.collect()
        if self["content-type"]?.hasPrefix("application/json") == true {
            let object = try? JSONSerialization.jsonObject(with: Data(body.readableBytesView)) as? [String: Any]
            return (object ?? [:]).mapValues { "\($0)" }
        }
        return query.merging(Self.form(String(buffer: body))) { $1 }
    }

    /// The names that a `Destination` leads to.
    func destination() throws -> [String] {
        guard let text = self["destination"], !text.isEmpty else {
            throw NextcloudProblem(400, "Sabre\\DAV\\Exception\\BadRequest", "The destination header was not supplied")
        }
        return Self.names(ofURL: text)
    }

    static func names(ofURL text: String) -> [String] {
        guard let scheme = text.range(of: "://") else { return names(of: text) }
        return names(of: String(text[scheme.upperBound...].drop { $0 != "/" }))
    }
}

/// Why a request is refused.
struct NextcloudProblem: Error {
    var status: Int
    var exception: String
    var message: String
    var header: String?

    init(_ status: Int, _ exception: String, _ message: String, header: String? = nil) {
        self.status = status
        self.exception = exception
        self.message = message
        self.header = header
    }

    static func notFound(_ names: [String]) -> Self {
        Self(
            404,
            "Sabre\\DAV\\Exception\\NotFound",
            "File with name /\(names.joined(separator: "/")) could not be located"
        )
    }

    static func conflict(_ message: String) -> Self { Self(409, "Sabre\\DAV\\Exception\\Conflict", message) }

    static func precondition(_ header: String) -> Self {
        Self(
            412,
            "Sabre\\DAV\\Exception\\PreconditionFailed",
            "An \(header) header was specified, but none of the specified the ETags matched.",
            header: header
        )
    }

    static func locked(_ path: String) -> Self {
        Self(423, "OCA\\DAV\\Connector\\Sabre\\Exception\\FileLocked", "\"\(path)\" is locked")
    }

    var answer: LoopbackAnswer {
        var text =
            """
            <?xml version="1.0" encoding="utf-8"?>
            <d:error xmlns:d="DAV:" xmlns:s="http://sabredav.org/ns"><s:exception>\(exception.xmlEscaped)</s:exception>\
            <s:message>\(message.xmlEscaped)</s:message>
            """
        if let header { text += "<s:header>\(header)</s:header>" }
        text += "</d:error>"
        var answer = LoopbackAnswer(.init(code: status), text: text)
        answer.fields[.contentType] = "application/xml; charset=utf-8"
        return answer
    }
}

extension String {
    /// The text in NFC. Foundation loses a mark at the beginning, which says nothing of the byte order here.
    var composed: String {
        let mark = "\u{FEFF}"
        guard unicodeScalars.first == mark.unicodeScalars.first else { return precomposedStringWithCanonicalMapping }
        return mark + String(unicodeScalars.dropFirst()).composed
    }

    /// The text with escapes decoded, byte by byte; what is not UTF-8 then is taken for Latin 1, as the server does.
    var percentDecoded: String {
        var bytes: [UInt8] = []
        var rest = Array(utf8)[...]
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == UInt8(ascii: "%"), digits.count == 2, let value = UInt8(digits, radix: 16) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { UnicodeScalar($0) }))
    }

    var xmlEscaped: String {
        replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }

    /// As the server writes hrefs: lower-case hexadecimal, and more of it than needed.
    var hrefEscaped: String {
        var text = ""
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
                UInt8(ascii: "~"), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "/"):
                text.append(Character(UnicodeScalar(byte)))
            default: text += String(format: "%%%02x", byte)
            }
        }
        return text
    }
}

extension LoopbackAnswer {
    /// An answer with a few fields, by name.
    static func answer(_ status: Int, _ fields: [String: String] = [:], text: String = "") -> LoopbackAnswer {
        var answer = LoopbackAnswer(.init(code: status), text: text)
        for (name, value) in fields {
            if let name = HTTPField.Name(name) { answer.fields[name] = value }
        }
        return answer
    }

    static func multistatus(_ text: String) -> LoopbackAnswer {
        answer(
            207,
            ["content-type": "application/xml; charset=utf-8", "dav": "1, 3, extended-mkcol"],
            text:
                "<?xml version=\"1.0\"?>\n<d:multistatus xmlns:d=\"DAV:\" xmlns:s=\"http://sabredav.org/ns\" "
                + "xmlns:oc=\"http://owncloud.org/ns\" xmlns:nc=\"http://nextcloud.org/ns\">\(text)</d:multistatus>"
        )
    }
}
