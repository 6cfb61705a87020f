import Foundation

/// The type of an argument, and the check that a value has it.
indirect enum DropboxType: Sendable {
    case text(ClosedRange<Int> = 0...Int.max)
    case pattern(DropboxPattern)
    case bool
    case unsigned(ClosedRange<Int64> = 0...Int64.max)
    case float(ClosedRange<Double>)
    case timestamp
    case list(DropboxType, count: ClosedRange<Int> = 0...Int.max)
    case structure(DropboxShape)
    /// A union of tags; a tag without a value has the type `nil`.
    case union([String: DropboxType?])
    /// A value that isn't looked at.
    case anything
}

extension DropboxType {
    /// Returns the complaint about a value, or `nil` if it has the type.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - place: The field that holds the value, for the complaint; empty at the top.
    /// - Returns: The complaint.
    func complaint(about value: JSONValue, at place: String = "") -> String? {
        let prefix = place.isEmpty ? "" : place + ": "
        func expected(_ type: String) -> String { "\(prefix)expected \(type), got \(value.typeName)" }
        switch self {
        case .anything: return nil
        case .text(let length):
            guard let text = value.string else { return expected("string") }
            if text.count < length.lowerBound {
                return "\(prefix)'\(text)' must be at least \(length.lowerBound) characters"
            }
            if text.count > length.upperBound { return "\(prefix)text must be at most \(length.upperBound) characters" }
            return nil
        case .pattern(let pattern):
            guard let text = value.string else { return expected("string") }
            return pattern.complaint(about: text).map { prefix + $0 }
        case .bool: return value.bool == nil ? expected("boolean") : nil
        case .unsigned(let range):
            guard case .integer(let integer) = value else { return expected("integer") }
            return range.contains(integer) ? nil : "\(prefix)\(integer) is not within range \(range)"
        case .float(let range):
            let number: Double? =
                switch value {
                case .integer(let integer): Double(integer)
                case .number(let number): number
                default: nil
                }
            guard let number else { return expected("float") }
            return range.contains(number) ? nil : "\(prefix)\(number) is not within range \(range)"
        case .timestamp:
            guard let text = value.string else { return expected("timestamp") }
            return DropboxTimestamp.date(text) == nil
                ? "\(prefix)time data '\(text)' does not match format '%Y-%m-%dT%H:%M:%SZ'" : nil
        case .list(let type, let count):
            guard let elements = value.array else { return expected("list") }
            guard count.contains(elements.count) else { return "\(prefix)\(elements.count) items are not allowed" }
            for (index, element) in elements.enumerated() {
                if let complaint = type.complaint(about: element, at: "\(place)[\(index)]") { return complaint }
            }
            return nil
        case .structure(let shape):
            guard let object = value.object else { return expected("object") }
            return shape.complaint(about: object, at: place)
        case .union(let tags): return Self.complaint(about: value, asOneOf: tags, at: place)
        }
    }

    private static func complaint(
        about value: JSONValue,
        asOneOf tags: [String: DropboxType?],
        at place: String
    ) -> String? {
        let prefix = place.isEmpty ? "" : place + ": "
        guard let (tag, payload) = value.tagged else { return "\(prefix)expected union tag, got \(value.typeName)" }
        guard let type = tags[tag] else { return "\(prefix)unknown tag '\(tag)'" }
        guard let type else {
            let extra = value.object?.names.first { $0 != ".tag" && $0 != tag }
            return extra.map { "\(prefix)unknown field '\($0)'" }
        }
        if case .structure(let shape) = type, var fields = value.object {
            fields[".tag"] = nil
            return shape.complaint(about: fields, at: place)
        }
        let inner = place.isEmpty ? tag : "\(place).\(tag)"
        guard let payload else { return "\(prefix)missing '\(tag)' key" }
        return type.complaint(about: payload, at: inner)
    }
}
