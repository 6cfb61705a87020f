/// The encoding of names for a storage that forbids some of them, without losing a bit.
///
/// Forbidden names are replaced by look-alikes, as rclone does it: ASCII by its fullwidth form (`?` by `？`), a space
/// by `␠`, control characters by their pictures (`␊`). A name that really has such a look-alike where it would be taken
/// for a replacement gets U+201B (`‛`) before it. So ``decode(_:)`` of ``encode(_:)`` is the name, for every name; and
/// a name on the storage that has no `‛` in it is found under what ``decode(_:)`` made of it.
///
/// ```swift
/// let encoding = NameEncoding(forbidding: "\"*:<>?/\\|", controls: true, trailing: " .", reserving: NameEncoding.devices)
/// encoding.encode("why?")      // "why？"
/// encoding.encode("con.txt")   // "ｃon.txt"
/// ```
///
/// The length is left alone.
public struct NameEncoding: Sendable, Hashable {
    private var anywhere = ASCIISet()
    private var leading = ASCIISet()
    private var trailing = ASCIISet()
    private let reserved: Set<String>
    /// The first characters of reserved names, in both cases.
    private var reservedInitials = ASCIISet()
    private let reservesStems: Bool

    /// Changes nothing.
    public static let none = NameEncoding(forbidding: "")

    /// The names that Windows keeps for devices: to be reserved with and without an extension.
    public static let devices =
        ["con", "prn", "aux", "nul", "conin$", "conout$"]
        + ["1", "2", "3", "4", "5", "6", "7", "8", "9", "¹", "²", "³"].flatMap { ["com" + $0, "lpt" + $0] }

    /// Makes an encoding.
    ///
    /// - Parameters:
    ///   - anywhere: ASCII characters that a name can't have.
    ///   - controls: `true` if a name can't have U+0000…U+001F and U+007F.
    ///   - leading: ASCII characters that a name can't begin with.
    ///   - trailing: ASCII characters that a name can't end with.
    ///   - reserved: Names that can't be used, in whatever case; each begins with an ASCII character.
    ///   - reservesStems: `true` if a reserved name is reserved with an extension too: `nul.txt`.
    public init(
        forbidding anywhere: String,
        controls: Bool = false,
        leading: String = "",
        trailing: String = "",
        reserving reserved: [String] = [],
        reservesStems: Bool = true
    ) {
        self.anywhere.insert(anywhere)
        if controls {
            for value in UInt8(0)..<0x20 { self.anywhere.insert(value) }
            self.anywhere.insert(0x7F)
        }
        self.leading.insert(leading)
        self.trailing.insert(trailing)
        self.reserved = Set(reserved.map { $0.lowercased() })
        self.reservesStems = reservesStems
        for name in self.reserved {
            reservedInitials.insert(String(name.prefix(1)))
            reservedInitials.insert(name.prefix(1).uppercased())
        }
    }

    /// The name to use on the storage.
    ///
    /// - Parameter name: Any name.
    /// - Returns: A name that the storage allows, if its length is allowed; the empty name for the empty name.
    public func encode(_ name: String) -> String {
        guard needsWork(name) else { return name }
        let scalars = Array(name.unicodeScalars)
        var encoded: [Unicode.Scalar] = []
        // From the end: whether a quotation mark has to be quoted depends on what will follow it.
        for index in scalars.indices.reversed() {
            let scalar = scalars[index]
            let place = Place(isFirst: index == 0, isLast: index == scalars.count - 1)
            if isForbidden(scalar, at: place) {
                encoded.append(Self.lookAlike(of: scalar))
            } else {
                encoded.append(scalar)
                if needsQuote(scalar, at: place, before: encoded.dropLast().last, isLast: encoded.count == 2) {
                    encoded.append(Self.quote)
                }
            }
        }
        return String(String.UnicodeScalarView(withoutReserved(encoded.reversed())))
    }

    /// The name that an encoded one stands for.
    ///
    /// - Parameter name: A name as the storage has it, whoever gave it.
    /// - Returns: The name to show; the same one if nothing is encoded in it.
    public func decode(_ name: String) -> String {
        // Every look-alike and the quotation mark begin with E2 or EF.
        guard name.utf8.contains(where: { $0 == 0xE2 || $0 == 0xEF }) else { return name }
        let scalars = withReserved(Array(name.unicodeScalars))
        var decoded = String.UnicodeScalarView()
        var index = 0
        while index < scalars.count {
            let isFirst = index == 0
            let next = index + 1 < scalars.count ? scalars[index + 1] : nil
            if scalars[index] == Self.quote, let next,
                next == Self.quote
                    || original(of: next, at: Place(isFirst: isFirst, isLast: index + 2 == scalars.count)) != nil
            {
                decoded.append(next)
                index += 2
            } else {
                let place = Place(isFirst: isFirst, isLast: index + 1 == scalars.count)
                decoded.append(original(of: scalars[index], at: place) ?? scalars[index])
                index += 1
            }
        }
        return String(decoded)
    }
}

// MARK: - Characters

extension NameEncoding {
    /// The quotation mark, which says that what follows is meant as it is.
    private static let quote: Unicode.Scalar = "\u{201B}"

    /// Where a character stands in the name.
    private struct Place {
        let isFirst: Bool
        let isLast: Bool
    }

    /// Returns whether a name is anything but ASCII that may stay: the quick "no" for nearly every name.
    private func needsWork(_ name: String) -> Bool {
        guard let first = name.utf8.first, let last = name.utf8.last else { return false }
        return name.utf8.contains { $0 >= 0x80 || anywhere.contains($0) }
            || leading.contains(first) || trailing.contains(last) || reservedInitials.contains(first)
    }

    private func isForbidden(_ scalar: Unicode.Scalar, at place: Place) -> Bool {
        guard let byte = UInt8(exactly: scalar.value), byte < 0x80 else { return false }
        return anywhere.contains(byte) || (place.isFirst && leading.contains(byte))
            || (place.isLast && trailing.contains(byte))
    }

    /// Returns whether a character that stays would be misunderstood.
    private func needsQuote(
        _ scalar: Unicode.Scalar,
        at place: Place,
        before next: Unicode.Scalar?,
        isLast isNextLast: Bool
    ) -> Bool {
        if original(of: scalar, at: place) != nil { return true }
        guard scalar == Self.quote, let next else { return false }
        return next == Self.quote || original(of: next, at: Place(isFirst: place.isFirst, isLast: isNextLast)) != nil
    }

    /// Returns what replaces an ASCII character.
    private static func lookAlike(of scalar: Unicode.Scalar) -> Unicode.Scalar {
        let value =
            switch scalar.value {
            case 0...0x20: 0x2400 + scalar.value
            case 0x7F: UInt32(0x2421)
            default: 0xFEE0 + scalar.value
            }
        return Unicode.Scalar(value) ?? scalar
    }

    /// The ASCII character that a scalar is the look-alike of.
    private static func character(lookingLike scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.value {
        case 0x2400...0x2420: Unicode.Scalar(scalar.value - 0x2400)
        case 0x2421: "\u{7F}"
        case 0xFF01...0xFF5E: Unicode.Scalar(scalar.value - 0xFEE0)
        default: nil
        }
    }

    /// The character that a look-alike at this place stands for; `nil` if it stands for itself.
    private func original(of scalar: Unicode.Scalar, at place: Place) -> Unicode.Scalar? {
        guard let character = Self.character(lookingLike: scalar), isForbidden(character, at: place) else { return nil }
        return character
    }
}

// MARK: - Reserved names

extension NameEncoding {
    private func isReserved(_ name: some Sequence<Unicode.Scalar>) -> Bool {
        guard !reserved.isEmpty else { return false }
        var text = ""
        text.unicodeScalars.append(contentsOf: name)
        text = text.lowercased()
        if reserved.contains(text) { return true }
        guard reservesStems, let dot = text.utf8.firstIndex(of: UInt8(ascii: ".")), dot != text.startIndex else {
            return false
        }
        // Windows takes "nul .txt" for the device too.
        let stem = text[..<dot].utf8.reversed().drop { $0 == UInt8(ascii: " ") }
        return reserved.contains(String(decoding: Array(stem.reversed()), as: UTF8.self))
    }

    /// How many quotation marks stand before a reserved name whose first character is replaced; `nil` if it is no such.
    private func quotes(beforeReserved name: [Unicode.Scalar]) -> Int? {
        let quotes = name.prefix { $0 == Self.quote }.count
        guard quotes < name.count, let first = Self.character(lookingLike: name[quotes]),
            isReserved([first] + name[(quotes + 1)...])
        else { return nil }
        return quotes
    }

    private func withoutReserved(_ name: [Unicode.Scalar]) -> [Unicode.Scalar] {
        if let first = name.first, first.isASCII, isReserved(name) {
            return [Self.lookAlike(of: first)] + name.dropFirst()
        }
        return quotes(beforeReserved: name) == nil ? name : [Self.quote] + name
    }

    private func withReserved(_ name: [Unicode.Scalar]) -> [Unicode.Scalar] {
        guard !reserved.isEmpty, let quotes = quotes(beforeReserved: name) else { return name }
        guard quotes == 0, let first = Self.character(lookingLike: name[0]) else { return Array(name.dropFirst()) }
        return [first] + name.dropFirst()
    }
}

/// ASCII characters, as bits.
private struct ASCIISet: Sendable, Hashable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    mutating func insert(_ byte: UInt8) {
        if byte < 64 { low |= 1 << UInt64(byte) } else if byte < 128 { high |= 1 << UInt64(byte - 64) }
    }

    mutating func insert(_ characters: String) {
        for byte in characters.utf8 { insert(byte) }
    }

    func contains(_ byte: UInt8) -> Bool {
        byte < 64 ? low & 1 << UInt64(byte) != 0 : byte < 128 && high & 1 << UInt64(byte - 64) != 0
    }
}
