/// The escapes by which a name that can't stand in a path is kept there, without losing a bit of it.
///
/// A path's component can't be `.` or `..` and can't hold `/` or NUL; a Swift string can't hold bytes that are not
/// UTF-8, and names on Linux may. Each such byte *b* becomes the private-use scalar U+10F700 + *b*. A name that really
/// contains one of these 256 scalars has each of the scalar's four bytes escaped, so that every name, of any bytes,
/// comes back as it was.
public enum NameEscape {
    private static let base: UInt32 = 0x10F700

    /// The scalar that stands for a byte.
    static func scalar(for byte: UInt8) -> Unicode.Scalar {
        // 0x10F700...0x10F7FF are all valid scalars.
        Unicode.Scalar(base + UInt32(byte)) ?? "\u{FFFD}"
    }

    /// The byte that a scalar stands for, or `nil` for any ordinary scalar.
    static func byte(for scalar: Unicode.Scalar) -> UInt8? {
        let offset = scalar.value &- base
        return offset < 0x100 ? UInt8(offset) : nil
    }

    /// The path component for a name: the name itself, unless something in it can't stand there.
    ///
    /// - Parameter name: Any text.
    /// - Returns: Text without `/` and NUL that is neither `.` nor `..`.
    @specialized(where Name == String)
    @specialized(where Name == Substring)
    public static func component<Name: StringProtocol>(ofName name: Name) -> String {
        let isDots = name == "." || name == ".."
        guard isDots || name.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == 0 || $0 == 0xF4 }) else {
            return String(name)
        }
        var component = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            if scalar == "/" || scalar == "\0" || isDots {
                component.append(Self.scalar(for: UInt8(truncatingIfNeeded: scalar.value)))
            } else if isLowEscape(scalar) {
                // A name that has our scalar for a slash in it must not become one with a slash.
                for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
                    component.append(Self.scalar(for: byte))
                }
            } else {
                component.append(scalar)
            }
        }
        return String(component)
    }

    /// The name that a path component stands for; bytes that are not UTF-8 stay escaped, as no string can hold them.
    ///
    /// - Parameter component: A component as it stands in a path.
    /// - Returns: The name to show.
    @specialized(where Component == String)
    @specialized(where Component == Substring)
    public static func name<Component: StringProtocol>(ofComponent component: Component) -> String {
        guard mayContainEscapes(component.utf8) else { return String(component) }
        var name = String.UnicodeScalarView()
        let scalars = Array(component.unicodeScalars)
        var index = 0
        while index < scalars.count {
            if let byte = byte(for: scalars[index]), byte < 0x80 {
                name.append(Unicode.Scalar(byte))
                index += 1
            } else if let scalar = escapedScalar(scalars[index...].prefix(4)) {
                name.append(scalar)
                index += 4
            } else {
                name.append(scalars[index])
                index += 1
            }
        }
        return String(name)
    }

    /// Text for a name of any bytes, as an operating system gives it.
    ///
    /// - Parameter bytes: The name's bytes, without the terminating NUL.
    /// - Returns: The name; ``bytes(ofName:)`` gives the same bytes back.
    @specialized(where Bytes == UnsafeBufferPointer<UInt8>)
    @specialized(where Bytes == ArraySlice<UInt8>)
    public static func name<Bytes: RandomAccessCollection<UInt8>>(ofBytes bytes: Bytes) -> String {
        if let name = String(validating: bytes, as: UTF8.self), !mayContainEscapes(name.utf8) { return name }
        var name = String.UnicodeScalarView()
        var rest = bytes[...]
        while let first = rest.first {
            if let scalar = firstScalar(of: rest), byte(for: scalar) == nil {
                name.append(scalar)
                rest = rest.dropFirst(UTF8.width(scalar))
            } else {
                name.append(Self.scalar(for: first))
                rest = rest.dropFirst()
            }
        }
        return String(name)
    }

    /// The bytes that an operating system should see for a name: the reverse of ``name(ofBytes:)``.
    ///
    /// Look at the result before using it: it can hold a slash or a NUL if the name was escaped for one.
    ///
    /// - Parameter name: A name or a path's component.
    /// - Returns: Bytes without a terminating NUL.
    @specialized(where Name == String)
    @specialized(where Name == Substring)
    public static func bytes<Name: StringProtocol>(ofName name: Name) -> [UInt8] {
        guard mayContainEscapes(name.utf8) else { return Array(name.utf8) }
        var bytes: [UInt8] = []
        for scalar in name.unicodeScalars {
            if let byte = byte(for: scalar) {
                bytes.append(byte)
            } else {
                bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
        }
        return bytes
    }

    /// Returns whether a scalar stands for an ASCII byte, which no name of an operating system has escaped.
    private static func isLowEscape(_ scalar: Unicode.Scalar) -> Bool {
        byte(for: scalar).map { $0 < 0x80 } ?? false
    }

    /// The scalar of ours whose four bytes are escaped here: a name really had it.
    private static func escapedScalar(_ scalars: ArraySlice<Unicode.Scalar>) -> Unicode.Scalar? {
        let bytes = scalars.compactMap { byte(for: $0) }
        guard bytes.count == 4, let scalar = firstScalar(of: bytes), isLowEscape(scalar) else { return nil }
        return scalar
    }

    /// The text behind the last dot of a name, unless the dot begins it.
    static func pathExtension(of name: String) -> String {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else { return "" }
        return String(name[name.utf8.index(after: dot)...])
    }

    /// Returns whether the bytes that begin each of our scalars (F4 8F 9C…9F) occur at all: a quick "no" for nearly
    /// every name.
    private static func mayContainEscapes(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.contains(0xF4)
    }

    /// The scalar that valid UTF-8 begins with, or `nil` if the first byte begins none.
    private static func firstScalar(of bytes: some RandomAccessCollection<UInt8>) -> Unicode.Scalar? {
        guard let first = bytes.first else { return nil }
        let width =
            switch first {
            case 0x00..<0x80: 1
            case 0xC2..<0xE0: 2
            case 0xE0..<0xF0: 3
            case 0xF0..<0xF5: 4
            default: 0
            }
        guard width > 0, bytes.count >= width else { return nil }
        return String(validating: bytes.prefix(width), as: UTF8.self)?.unicodeScalars.first
    }
}
