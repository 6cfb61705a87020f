import FerryCore
import NIOCore

/// How a request has ended (section 7).
struct SFTPStatus: Sendable, Hashable {
    /// The codes of version 3.
    struct Code: RawRepresentable, Sendable, Hashable {
        let rawValue: UInt32

        static let ok = Code(rawValue: 0)
        static let endOfFile = Code(rawValue: 1)
        static let noSuchFile = Code(rawValue: 2)
        static let permissionDenied = Code(rawValue: 3)
        static let failure = Code(rawValue: 4)
        static let badMessage = Code(rawValue: 5)
        static let unsupported = Code(rawValue: 8)
    }

    /// Characters of the server's words that are kept.
    private static let longestMessage = 300

    let code: Code

    /// The server's words, without control characters.
    let message: String

    init(_ code: Code, _ message: String = "") {
        self.code = code
        self.message = message
    }

    init(from buffer: inout ByteBuffer) throws {
        code = Code(rawValue: try buffer.readNumber())
        // The first drafts had no words.
        let bytes = buffer.readableBytes == 0 ? [] : try buffer.readField()
        let text = String(decoding: bytes, as: UTF8.self)
        let scalars = text.unicodeScalars.lazy.filter { !$0.properties.isDefaultIgnorableCodePoint && $0.value >= 32 }
        message = String(String.UnicodeScalarView(scalars.filter { $0.value != 127 }.prefix(Self.longestMessage)))
    }
}

/// The server's message is not SFTP, or no answer to what it was asked.
struct SFTPProtocolError: Error, Hashable, CustomStringConvertible {
    /// The problem, in words.
    let description: String

    init(_ description: String) {
        self.description = description
    }

    /// A message ends within one of its fields.
    static let tooShort = SFTPProtocolError("a message ends too early")
}
