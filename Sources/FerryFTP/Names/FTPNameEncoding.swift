import FerryCore
import Foundation

/// The encoding of names at a server: UTF-8 (RFC 2640), or what an old server's system has.
///
/// Names of any bytes come back as they were: what is no text in the encoding is kept byte by byte, as `NameEscape` says.
public struct FTPNameEncoding: Sendable, Hashable {
    /// The encoding's name as iconv knows it; `nil` for UTF-8.
    public let name: String?

    /// RFC 2640.
    public static let utf8 = FTPNameEncoding()

    private init() { name = nil }

    /// Makes an encoding.
    ///
    /// - Parameter name: Its name: `iso-8859-1`, `windows-1252`, `shift_jis` … whatever the system's iconv knows.
    /// - Throws: `CocoaError.coderInvalidValue` for a name that nobody knows.
    public init(named name: String) throws {
        if ["utf-8", "utf8"].contains(name.lowercased()) {
            self.name = nil
            return
        }
        guard let converter = Converter(from: name, to: "UTF-8"), Converter(from: "UTF-8", to: name) != nil,
            converter.convert(Array("/".utf8))?.output == Array("/".utf8)
        else { throw CocoaError.misconfigured("no encoding of names is called '\(name)'") }
        self.name = name
    }

    /// The name that bytes of a listing stand for.
    func decode(_ bytes: some RandomAccessCollection<UInt8>) -> String {
        let bytes = ArraySlice(Array(bytes))
        guard let name, bytes.contains(where: { $0 >= 0x80 }) else { return NameEscape.name(ofBytes: bytes) }
        guard let converter = Converter(from: name, to: "UTF-8") else { return NameEscape.name(ofBytes: bytes) }
        var text = ""
        var rest = bytes
        while !rest.isEmpty {
            let (output, used) = converter.convert(Array(rest)) ?? ([], 0)
            text += String(decoding: output, as: UTF8.self)
            rest = rest.dropFirst(used)
            if let first = rest.popFirst() { text += Self.escaped(first) }
        }
        // Where two texts have the same bytes there is no way back: then it is better shown byte by byte.
        if (try? encode(text)) == Array(bytes) { return text }
        return bytes.reduce(into: "") { $0 += $1 < 0x80 ? String(UnicodeScalar($1)) : Self.escaped($1) }
    }

    /// The bytes that a name has on the server.
    ///
    /// - Parameter text: A name, or a path's component.
    /// - Returns: Bytes.
    /// - Throws: `Unwritable` for a character that the encoding has not.
    func encode(_ text: some StringProtocol) throws -> [UInt8] {
        guard let name, !text.utf8.allSatisfy({ $0 < 0x80 }) else { return NameEscape.bytes(ofName: String(text)) }
        guard let converter = Converter(from: "UTF-8", to: name) else { throw Unwritable() }
        var bytes: [UInt8] = []
        var plain = ""
        func flush() throws {
            guard !plain.isEmpty else { return }
            let source = Array(plain.utf8)
            guard let (output, used) = converter.convert(source), used == source.count else { throw Unwritable() }
            bytes += output
            plain = ""
        }
        for scalar in text.unicodeScalars {
            // An escaped byte is that byte, whatever the encoding.
            let escaped = NameEscape.bytes(ofName: String(scalar))
            if escaped.count == 1, scalar.value >= 0x80 {
                try flush()
                bytes += escaped
            } else {
                plain.unicodeScalars.append(scalar)
            }
        }
        try flush()
        return bytes
    }

    /// A name has a character that the server's encoding has not.
    struct Unwritable: Error {}

    /// Alone, a byte from 0x80 on is never UTF-8.
    private static func escaped(_ byte: UInt8) -> String { NameEscape.name(ofBytes: [byte][...]) }

    /// The system's converter, for one conversion at a time.
    private final class Converter {
        private let handle: iconv_t

        init?(from source: String, to target: String) {
            guard let handle = iconv_open(target, source), Int(bitPattern: handle) != -1 else { return nil }
            self.handle = handle
        }

        deinit { iconv_close(handle) }

        /// Converts up to the first byte that makes no sense.
        func convert(_ bytes: [UInt8]) -> (output: [UInt8], used: Int)? {
            var input = bytes.map { CChar(bitPattern: $0) }
            var output = [CChar](repeating: 0, count: bytes.count * 6 + 16)
            let (left, room) = input.withUnsafeMutableBufferPointer { input in
                output.withUnsafeMutableBufferPointer { output in
                    var (source, target) = (input.baseAddress, output.baseAddress)
                    var (left, room) = (input.count, output.count)
                    _ = iconv(handle, nil, nil, nil, nil)
                    _ = iconv(handle, &source, &left, &target, &room)
                    _ = iconv(handle, nil, nil, &target, &room)
                    return (left, room)
                }
            }
            return (output.dropLast(room).map { UInt8(bitPattern: $0) }, bytes.count - left)
        }
    }
}
