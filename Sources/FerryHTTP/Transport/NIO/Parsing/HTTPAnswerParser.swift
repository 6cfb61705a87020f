import FerryCore
import Foundation
import HTTPTypes
import NIOCore

/// Takes apart what comes on a connection (RFC 9112), without waiting for anything.
///
/// Lenient where nothing depends on it (a bare line feed, empty lines before an answer, no reason phrase), strict where
/// an answer could be read in two ways.
struct HTTPAnswerParser {
    /// The parts of an answer.
    enum Part: Equatable {
        /// An interim answer (1xx) with this status.
        case interim(Int)
        /// The head of the answer.
        case head(HTTPResponse)
        /// Bytes of the body, at least one; of the same memory as what was appended.
        case body(ByteBuffer)
        /// The answer is complete.
        case end
    }

    private enum State {
        case idle
        case statusLine
        case fields
        case sized(rest: Int64)
        case untilClose
        case chunkSize
        case chunk(rest: Int64)
        case chunkEnd
        case trailer
        case complete
    }

    private let maximumHeaderSize: Int
    private var state = State.idle
    private var buffer = ByteBuffer()
    /// Bytes of `buffer` that hold no line feed.
    private var scanned = 0
    private var headSize = 0
    private var isToHead = false
    private var isTunnel = false
    private var isOld = false
    private var status = 0
    private var fields = HTTPFields()
    private var reader = HTTPFieldReader()

    /// The framing of the answer that came last.
    private(set) var framing = HTTPAnswerFraming()

    /// Indicates whether any byte of an answer has come since the request.
    private(set) var hasBegun = false

    /// Makes a parser that expects nothing.
    ///
    /// - Parameter maximumHeaderSize: Bytes that a head has at most.
    init(maximumHeaderSize: Int) {
        self.maximumHeaderSize = maximumHeaderSize
    }

    /// A request is sent, whose answer is to be expected.
    ///
    /// - Parameter method: Its method, on which the answer's framing depends.
    mutating func begin(_ method: HTTPRequest.Method) {
        isToHead = method == .head
        isTunnel = method == .connect
        hasBegun = false
        headSize = 0
        beginHead()
    }

    /// Takes bytes.
    ///
    /// - Parameter bytes: The bytes that have come.
    mutating func append(_ bytes: ByteBuffer) {
        hasBegun = true
        if buffer.readableBytes == 0 {
            buffer = bytes
        } else {
            var bytes = bytes
            buffer.writeBuffer(&bytes)
        }
    }

    /// Indicates whether something came that belongs to no answer.
    var hasJunk: Bool {
        if case .idle = state { buffer.readableBytes > 0 } else { false }
    }

    /// Indicates whether another request may follow on the connection.
    var keepsConnection: Bool { framing.keepsConnection(isOld: isOld) && !hasJunk }

    /// Returns what is behind the answer's end.
    mutating func takeRest() -> ByteBuffer {
        defer { buffer = ByteBuffer() }
        return buffer
    }

    /// The next part of the answer.
    ///
    /// - Returns: The part; `nil` if it takes more bytes.
    /// - Throws: `URLError.cannotParseResponse`.
    mutating func next() throws -> Part? {
        while true {
            switch state {
            case .idle: return nil
            case .statusLine:
                guard let line = try takeLine() else { return nil }
                // Left over from an answer before, by some servers (RFC 9112 §2.2).
                if line.readableBytes == 0 { continue }
                try readStatus(line)
            case .fields:
                guard let line = try takeLine() else { return nil }
                if line.readableBytes == 0 { return try endHead() }
                try readField(line)
            case .sized(let rest):
                guard let bytes = take(upTo: rest) else { return nil }
                let left = rest - Int64(bytes.readableBytes)
                state = left == 0 ? .complete : .sized(rest: left)
                return .body(bytes)
            case .untilClose: return take(upTo: .max).map { .body($0) }
            case .chunkSize:
                guard let line = try takeLine() else { return nil }
                let size = try Self.chunkSize(line)
                headSize = 0
                state = size == 0 ? .trailer : .chunk(rest: size)
            case .chunk(let rest):
                guard let bytes = take(upTo: rest) else { return nil }
                let left = rest - Int64(bytes.readableBytes)
                state = left == 0 ? .chunkEnd : .chunk(rest: left)
                return .body(bytes)
            case .chunkEnd:
                guard let line = try takeLine() else { return nil }
                guard line.readableBytes == 0 else { throw Self.senseless("a chunk is longer than it says") }
                state = .chunkSize
            case .trailer:
                guard let line = try takeLine() else { return nil }
                // Fields after the last chunk are of no use to anybody here.
                if line.readableBytes == 0 { state = .complete }
            case .complete:
                state = .idle
                return .end
            }
        }
    }

    /// The connection has ended.
    ///
    /// - Returns: `true` if the answer ends with it.
    mutating func finish() -> Bool {
        guard case .untilClose = state else { return false }
        state = .idle
        return true
    }

    // MARK: Head

    private mutating func beginHead() {
        state = .statusLine
        scanned = 0
        fields = HTTPFields()
        framing = HTTPAnswerFraming()
        reader.begin()
    }

    private mutating func readStatus(_ line: ByteBuffer) throws {
        let (status, isOld) = try line.withUnsafeReadableBytes { line in
            guard line.count >= 12, line.prefix(7).elementsEqual("HTTP/1.".utf8), line[8] == UInt8(ascii: " "),
                line.count == 12 || line[12] == UInt8(ascii: " ")
            else { throw Self.senseless("the answer is not HTTP") }
            let status = try line[9..<12].reduce(0) { status, digit in
                guard (0x30...0x39).contains(digit) else { throw Self.senseless("the answer has no status") }
                return status * 10 + Int(digit - 0x30)
            }
            guard status >= 100 else { throw Self.senseless("the answer has no status") }
            return (status, line[7] == UInt8(ascii: "0"))
        }
        (self.status, self.isOld) = (status, isOld)
        state = .fields
    }

    private mutating func readField(_ line: ByteBuffer) throws {
        guard let field = line.withUnsafeReadableBytes({ reader.read($0) }) else {
            throw Self.senseless("the answer has a line that is no field")
        }
        framing.add(field)
        fields.append(field)
    }

    private mutating func endHead() throws -> Part {
        if status < 200 {
            // All heads together have the bytes of one: else they could go on for ever.
            beginHead()
            return .interim(status)
        }
        if isTunnel, status < 300 {
            state = .complete
        } else {
            switch framing.body(status: status, isToHead: isToHead) {
            case nil: throw Self.senseless("where the answer ends can be read in two ways")
            case .some(.none): state = .complete
            case .length(let length): state = .sized(rest: length)
            case .chunked: state = .chunkSize
            case .untilClose: state = .untilClose
            }
        }
        headSize = 0
        defer { fields = HTTPFields() }
        return .head(HTTPResponse(status: .init(code: status), headerFields: fields))
    }

    // MARK: Bytes

    private mutating func take(upTo count: Int64) -> ByteBuffer? {
        let available = buffer.readableBytes
        guard available > 0 else { return nil }
        if Int64(available) <= count { return takeRest() }
        return buffer.readSlice(length: Int(count))
    }

    /// Takes a line; `nil` if its end hasn't come.
    private mutating func takeLine() throws -> ByteBuffer? {
        let start = scanned
        let found: Int? = buffer.withUnsafeReadableBytes { bytes in
            guard bytes.count > start, let base = bytes.baseAddress,
                let feed = memchr(base + start, 0x0a, bytes.count - start)
            else { return nil }
            return UnsafeRawPointer(feed) - base
        }
        guard headSize + (found ?? buffer.readableBytes) <= maximumHeaderSize else {
            throw Self.senseless("the head of the answer is longer than \(maximumHeaderSize) bytes")
        }
        guard let found, var line = buffer.readSlice(length: found + 1) else {
            scanned = buffer.readableBytes
            return nil
        }
        (headSize, scanned) = (headSize + found + 1, 0)
        line.moveWriterIndex(to: line.writerIndex - 1)
        if line.readableBytesView.last == UInt8(ascii: "\r") { line.moveWriterIndex(to: line.writerIndex - 1) }
        return line
    }

    private static func chunkSize(_ line: ByteBuffer) throws -> Int64 {
        var size: Int64 = 0
        var digits = 0
        for byte in line.readableBytesView {
            guard let digit = Character(UnicodeScalar(byte)).hexDigitValue else {
                // An extension, or space before one (RFC 9112 §7.1.1).
                guard digits > 0, [UInt8(ascii: ";"), UInt8(ascii: " "), UInt8(ascii: "\t")].contains(byte) else {
                    throw senseless("a chunk has no size")
                }
                break
            }
            digits += 1
            guard digits <= 15 else { throw senseless("a chunk is too long") }
            size = size << 4 | Int64(digit)
        }
        guard digits > 0 else { throw senseless("a chunk has no size") }
        return size
    }

    private static func senseless(_ description: String) -> URLError {
        .answer(.cannotParseResponse, description: description)
    }
}
