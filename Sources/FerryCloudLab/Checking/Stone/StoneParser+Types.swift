extension StoneParser {
    private struct Arguments {
        var types: [StoneType] = []
        var texts: [String] = []
        var named: [String: StoneToken.Kind] = [:]
    }

    /// Reads a type.
    mutating func type() throws(DescriptionError) -> StoneType {
        let line = line
        var name = try name()
        var isForeign = false
        if accept(.symbol(".")) {
            name += "." + (try self.name())
            isForeign = true
        }
        let arguments = try arguments()
        let type = try isForeign ? nil : primitive(name, arguments)
        let result = type ?? .reference(isForeign ? name : qualified(name))
        if case .reference(let name) = result, namespace.references[name] == nil { namespace.references[name] = line }
        return accept(.symbol("?")) ? .optional(result) : result
    }

    private mutating func arguments() throws(DescriptionError) -> Arguments {
        var arguments = Arguments()
        guard accept(.symbol("(")) else { return arguments }
        while !accept(.symbol(")")) {
            switch (current, next) {
            case (.name(let label), .symbol("=")):
                advance()
                advance()
                arguments.named[label] = current
                advance()
            case (.text(let text), _):
                arguments.texts.append(text)
                advance()
            case (.name, _): arguments.types.append(try type())
            default: throw failure("An argument of a type should be here.")
            }
            guard accept(.symbol(",")) || current == .symbol(")") else { throw failure("A ',' or ')' is missing.") }
        }
        return arguments
    }

    /// Returns the type that the language itself has under a name; `nil` if there is none.
    private func primitive(_ name: String, _ arguments: Arguments) throws(DescriptionError) -> StoneType? {
        switch name {
        case "Void": return .void
        case "Boolean": return .boolean
        case "Bytes": return .bytes
        case "String":
            let length = try range(arguments, "min_length", "max_length")
            var pattern: String?
            if case .text(let text)? = arguments.named["pattern"] { pattern = text }
            return .text(length: length, pattern: pattern)
        case "Int32": return try integer(arguments, minimum: Int64(Int32.min), maximum: UInt64(Int32.max))
        case "Int64": return try integer(arguments, minimum: .min, maximum: UInt64(Int64.max))
        case "UInt32": return try integer(arguments, minimum: 0, maximum: UInt64(UInt32.max))
        case "UInt64": return try integer(arguments, minimum: 0, maximum: .max)
        case "Float32", "Float64":
            let bound = name == "Float32" ? Double(Float.greatestFiniteMagnitude) : .greatestFiniteMagnitude
            let minimum: Double = try number(arguments, "min_value") ?? -bound
            let maximum: Double = try number(arguments, "max_value") ?? bound
            guard minimum <= maximum else { throw failure("The bounds are the wrong way round.") }
            return .float(minimum...maximum)
        case "Timestamp":
            guard let format = arguments.texts.first else { throw failure("A timestamp needs a format.") }
            guard StoneTimestamp.isKnown(format) else { throw failure("The format '\(format)' isn't known.") }
            return .timestamp(format: format)
        case "List":
            guard arguments.types.count == 1 else { throw failure("A list has one type.") }
            return .list(arguments.types[0], count: try range(arguments, "min_items", "max_items"))
        case "Map":
            guard arguments.types.count == 2 else { throw failure("A map has two types.") }
            return .map(key: arguments.types[0], value: arguments.types[1])
        default: return nil
        }
    }

    private func number<Number: LosslessStringConvertible>(
        _ arguments: Arguments,
        _ name: String
    ) throws(DescriptionError) -> Number? {
        guard let argument = arguments.named[name] else { return nil }
        guard case .number(let text) = argument, let number = Number(text) else {
            throw failure("'\(name)' isn't a number that fits.")
        }
        return number
    }

    private func range(
        _ arguments: Arguments,
        _ minimum: String,
        _ maximum: String
    ) throws(DescriptionError) -> ClosedRange<Int> {
        let lower: Int = try number(arguments, minimum) ?? 0
        let upper: Int = try number(arguments, maximum) ?? .max
        guard lower <= upper else { throw failure("The bounds are the wrong way round.") }
        return lower...upper
    }

    private func integer(
        _ arguments: Arguments,
        minimum: Int64,
        maximum: UInt64
    ) throws(DescriptionError) -> StoneType {
        .integer(
            minimum: try number(arguments, "min_value") ?? minimum,
            maximum: try number(arguments, "max_value") ?? maximum
        )
    }
}
