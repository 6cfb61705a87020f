import Foundation

/// A comparison of JSON values with types of a description in the Stone language.
///
/// The form of values is that of https://github.com/dropbox/stone, `docs/json_serializer.rst`.
struct StoneValueCheck {
    let description: StoneDescription
    /// The part of the exchange that holds the value: services read more than they write.
    let side: CloudFinding.Side
    /// Returns what is wrong with the fields of an object beyond their types, given the name of its structure.
    var complaints: (_ structure: String, _ object: JSONObject) -> [(field: String, sentence: String)] = { _, _ in [] }
    private(set) var findings: [ValueFinding] = []
    private var place = JSONPlace()
    private let prefix: String

    /// Starts without findings.
    ///
    /// - Parameters:
    ///   - description: The description.
    ///   - side: The part of the exchange that holds the values.
    ///   - prefix: The text ahead of all places.
    init(_ description: StoneDescription, side: CloudFinding.Side, prefix: String = "") {
        self.description = description
        self.side = side
        self.prefix = prefix
    }

    /// Compares a value.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - type: The type.
    mutating func check(_ value: JSONValue, _ type: StoneType) {
        switch description.resolved(type) {
        case .void: if value != .null { report("Null is expected, not \(value.article).") }
        case .boolean: if value.bool == nil { expected("a Boolean value", value) }
        case .bytes: checkBytes(value)
        case .text(let length, let pattern): check(value, length: length, pattern: pattern)
        case .integer(let minimum, let maximum): check(value, minimum: minimum, maximum: maximum)
        case .float(let range): check(value, range)
        case .timestamp(let format):
            guard let text = value.string else { return expected("a timestamp", value) }
            if !StoneTimestamp.matches(text, format: format) { report("'\(text)' has not the format '\(format)'.") }
        case .list(let element, let count): check(value, element, count: count)
        case .map(let key, let inner): check(value, key: key, inner)
        case .optional(let inner): if value != .null { check(value, inner) }
        case .reference(let name):
            if let structure = description.structures[name] {
                check(value, structure)
            } else if let union = description.unions[name] {
                check(value, union)
            }
        }
    }

    mutating func report(_ sentence: String) {
        findings.append(ValueFinding(path: prefix + place.text, sentence: sentence))
    }

    private mutating func expected(_ type: String, _ value: JSONValue) {
        report("Expected is \(type), not \(value.article).")
    }

    /// Reports something about a member of the value at hand.
    mutating func report(member: String, _ sentence: String) {
        place.enter(member: member)
        report(sentence)
        place.leave()
    }

    mutating func check(member: String, _ value: JSONValue, _ type: StoneType) {
        place.enter(member: member)
        check(value, type)
        place.leave()
    }

    // MARK: - Plain values

    private mutating func checkBytes(_ value: JSONValue) {
        guard let text = value.string else { return expected("bytes in base64", value) }
        if Data(base64Encoded: text) == nil { report("The text is not base64.") }
    }

    private mutating func check(_ value: JSONValue, length: ClosedRange<Int>, pattern: String?) {
        guard let text = value.string else { return expected("a string", value) }
        let count = text.unicodeScalars.count
        if count < length.lowerBound { report("'\(text)' is shorter than \(length.lowerBound) characters.") }
        if count > length.upperBound { report("The text is longer than \(length.upperBound) characters.") }
        guard let pattern, let expression = description.patterns[pattern] else { return }
        let whole = NSRange(location: 0, length: text.utf16.count)
        if expression.firstMatch(in: text, range: whole) == nil { report("'\(text)' does not match '\(pattern)'.") }
    }

    private mutating func check(_ value: JSONValue, minimum: Int64, maximum: UInt64) {
        switch value {
        case .integer(let integer):
            if integer < minimum || (integer > 0 && UInt64(integer) > maximum) {
                report("\(integer) is not within \(minimum)...\(maximum).")
            }
        // Integers above 2^63 come as this, and have been rounded.
        case .number(let number) where maximum == .max && (0x1p63...0x1p64).contains(number): break
        default: expected("an integer", value)
        }
    }

    private mutating func check(_ value: JSONValue, _ range: ClosedRange<Double>) {
        let number: Double
        switch value {
        case .integer(let integer): number = Double(integer)
        case .number(let double): number = double
        default: return expected("a number", value)
        }
        if !range.contains(number) { report("\(number) is not within \(range).") }
    }

    private mutating func check(_ value: JSONValue, _ element: StoneType, count: ClosedRange<Int>) {
        guard let elements = value.array else { return expected("a list", value) }
        if !count.contains(elements.count) { report("A list of \(elements.count) is not allowed.") }
        for (index, inner) in elements.enumerated() {
            place.enter(element: index)
            check(inner, element)
            place.leave()
        }
    }

    private mutating func check(_ value: JSONValue, key: StoneType, _ inner: StoneType) {
        guard let object = value.object else { return expected("an object", value) }
        for member in object.members {
            check(member: member.name, .string(member.name), key)
            check(member: member.name, member.value, inner)
        }
    }

    // MARK: - Structures

    private mutating func check(_ value: JSONValue, _ structure: StoneDescription.Structure) {
        guard var object = value.object else { return expected("an object (\(structure.name))", value) }
        guard let subtypes = structure.subtypes else { return check(object, fieldsOf: structure) }
        guard let tag = object[".tag"] else { return report(member: ".tag", "The tag is missing (\(structure.name)).") }
        guard let text = tag.string, let name = subtypes[text], let subtype = description.structures[name] else {
            return report(member: ".tag", "\(tag.article) is no subtype of \(structure.name).")
        }
        object[".tag"] = nil
        check(object, fieldsOf: subtype)
    }

    mutating func check(_ object: JSONObject, fieldsOf structure: StoneDescription.Structure) {
        for complaint in complaints(structure.name, object) { report(member: complaint.field, complaint.sentence) }
        var known: Set<String> = []
        for field in structure.fields {
            known.insert(field.name)
            guard let value = object[field.name] else {
                if !field.hasDefault, !isOptional(field.type) { report(member: field.name, "The field is missing.") }
                continue
            }
            if !description.omissions.isDisjoint(with: field.annotations) {
                report(member: field.name, "The field is not public.")
            }
            check(member: field.name, value, field.type)
        }
        var seen: Set<String> = []
        for name in object.names {
            if !known.contains(name) { report(member: name, "The field is unknown.") }
            if !seen.insert(name).inserted { report(member: name, "The field is there twice.") }
        }
    }

    func isOptional(_ type: StoneType) -> Bool {
        if case .optional = description.resolved(type) { true } else { false }
    }
}

/// A date in a format of `strptime`, such as `%Y-%m-%dT%H:%M:%SZ`.
enum StoneTimestamp {
    private static let lengths: [Character: Int] = ["Y": 4, "m": 2, "d": 2, "H": 2, "M": 2, "S": 2]

    /// Returns `true` if all parts of a format are ones that this type reads.
    static func isKnown(_ format: String) -> Bool {
        var rest = Substring(format)
        while let sign = rest.popFirst() {
            if sign == "%" { guard let part = rest.popFirst(), lengths[part] != nil else { return false } }
        }
        return true
    }

    /// Returns `true` if a text is a date of a format, and the date is one of the calendar.
    static func matches(_ text: String, format: String) -> Bool {
        var (format, text) = (Substring(format), Substring(text))
        var parts: [Character: Int] = [:]
        while let sign = format.popFirst() {
            guard sign == "%", let part = format.popFirst(), let length = lengths[part] else {
                guard text.popFirst() == sign else { return false }
                continue
            }
            let digits = text.prefix(length)
            guard digits.count == length, digits.allSatisfy({ ("0"..."9").contains($0) }) else { return false }
            parts[part] = Int(digits)
            text = text.dropFirst(length)
        }
        guard text.isEmpty else { return false }
        let (year, month, day) = (parts["Y"] ?? 2000, parts["m"] ?? 1, parts["d"] ?? 1)
        guard (1...12).contains(month), year >= 1 else { return false }
        let isLeapYear = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        let days = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return (1...days[month - 1]).contains(day) && (0...23).contains(parts["H"] ?? 0)
            && (0...59).contains(parts["M"] ?? 0) && (0...59).contains(parts["S"] ?? 0)
    }
}
