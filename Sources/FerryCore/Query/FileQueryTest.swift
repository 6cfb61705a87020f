import Foundation

/// A query made ready for many items: literals have the attribute's type, nothing is looked up by name.
indirect enum FileQueryTest: Sendable {
    case constant(Bool)
    case all([FileQueryTest])
    case any([FileQueryTest])
    case not(FileQueryTest)
    /// The attribute is unknown.
    case unknown(FileQuery.Attribute)
    /// The kind is one of a set, by bits.
    case kind(UInt8)
    case flag(FileQuery.Attribute, Bool)
    case integer(FileQuery.Attribute, ClosedRange<Int64>)
    /// Seconds since 2001, or a decimal number.
    case decimal(FileQuery.Attribute, ClosedRange<Double>)
    case text(FileQuery.Attribute, TextTest)

    init(_ node: FileQuery.Node) {
        switch node {
        case .constant(let value): self = .constant(value)
        case .not(let node): self = .not(FileQueryTest(node))
        case .and(let nodes): self = .all(nodes.map { FileQueryTest($0) })
        case .or(let nodes): self = .any(nodes.map { FileQueryTest($0) })
        case .comparison(let comparison): self = FileQueryTest(comparison)
        }
    }

    func matches(_ file: FileObject) -> Bool {
        switch self {
        case .constant(let value): return value
        case .all(let tests):
            for test in tests where !test.matches(file) { return false }
            return true
        case .any(let tests):
            for test in tests where test.matches(file) { return true }
            return false
        case .not(let test): return !test.matches(file)
        case .unknown(let attribute): return attribute.isUnknown(of: file)
        case .kind(let kinds): return kinds & (1 << file.type.rawValue) != 0
        case .flag(let attribute, let value): return attribute.flag(of: file) == value
        case .integer(let attribute, let range):
            guard let integer = attribute.integer(of: file) else { return false }
            return range.contains(integer)
        case .decimal(let attribute, let range):
            guard let number = attribute.decimal(of: file) else { return false }
            return range.contains(number)
        case .text(let attribute, let test):
            // The name by itself: nearly every query asks for it.
            if case .name = attribute { return test.matches(file.name) }
            guard let text = attribute.text(of: file) else { return false }
            return test.matches(text)
        }
    }
}

// MARK: - Making

extension FileQueryTest {
    private init(_ comparison: FileQuery.Comparison) {
        let attribute = comparison.attribute
        switch (comparison.operation, comparison.value) {
        case (.equal, .null): self = .unknown(attribute)
        case (.notEqual, .null): self = .not(.unknown(attribute))
        case (.notEqual, _): self = .not(FileQueryTest(comparison.with(.equal)))
        case (.isIn, .list(let values)): self = FileQueryTest(attribute, in: values, options: comparison.options)
        case (let operation, .bool(let value)): self = operation == .equal ? .flag(attribute, value) : .constant(false)
        case (let operation, .integer(let number)):
            if case .extra = attribute {
                self = FileQueryTest(attribute, operation, Double(number))
            } else {
                self = operation.range(from: number).map { .integer(attribute, $0) } ?? .constant(false)
            }
        case (let operation, .decimal(let number)):
            if case .extra = attribute {
                self = FileQueryTest(attribute, operation, number)
            } else {
                self = operation.range(from: number).map { .integer(attribute, $0) } ?? .constant(false)
            }
        case (let operation, .date(let date)):
            self = FileQueryTest(attribute, operation, date.timeIntervalSinceReferenceDate)
        case (.between, .range(let lower, let upper)):
            self = .all([
                FileQueryTest(comparison.with(.greaterOrEqual, lower)),
                FileQueryTest(comparison.with(.lessOrEqual, upper)),
            ])
        case (.equal, .text(let text)) where attribute == .type:
            self = FileQueryTest(kinds: [.text(text)])
        case (let operation, .text(let text)):
            self = .text(
                attribute,
                TextTest(operation, text, options: comparison.options, pattern: comparison.pattern)
            )
        // Values that Comparison's initialiser has not let through.
        case (_, .null), (_, .list), (_, .range): self = .constant(false)
        }
    }

    private init(_ attribute: FileQuery.Attribute, _ operation: FileQuery.Operation, _ number: Double) {
        self = operation.closedRange(from: number).map { .decimal(attribute, $0) } ?? .constant(false)
    }

    private init(_ attribute: FileQuery.Attribute, in values: [FileQuery.Value], options: FileQuery.TextOptions) {
        if attribute == .type {
            self.init(kinds: values)
        } else if options.isEmpty, values.count > 1, case let texts = values.compactMap(\.text),
            texts.count == values.count
        {
            self = .text(attribute, TextTest(oneOf: texts))
        } else {
            self = .any(
                values.map { value in
                    FileQueryTest(
                        FileQuery.Comparison(
                            attribute: attribute,
                            operation: .equal,
                            options: options,
                            value: value,
                            pattern: nil
                        )
                    )
                }
            )
        }
    }

    private init(kinds values: [FileQuery.Value]) {
        let kinds = values.compactMap { $0.text.flatMap { FileObject.Kind(queryName: $0) } }
        self = .kind(kinds.reduce(0) { $0 | 1 << $1.rawValue })
    }
}

extension FileQuery.Comparison {
    fileprivate func with(_ operation: FileQuery.Operation, _ value: FileQuery.Value) -> Self {
        Self(attribute: attribute, operation: operation, options: options, value: value, pattern: nil)
    }
}

extension FileQuery.Value {
    fileprivate var text: String? {
        if case .text(let text) = self { text } else { nil }
    }
}

extension FileQuery.Operation {
    /// The integers that compare so with a number; `nil` if there are none.
    fileprivate func range(from number: Int64) -> ClosedRange<Int64>? {
        switch self {
        case .equal: number...number
        case .less: number == .min ? nil : .min...number - 1
        case .lessOrEqual: .min...number
        case .greater: number == .max ? nil : number + 1 ... .max
        case .greaterOrEqual: number ... .max
        default: nil
        }
    }

    /// The integers that compare so with a number that has decimals, or is larger than any integer.
    fileprivate func range(from number: Double) -> ClosedRange<Int64>? {
        switch self {
        case .less, .lessOrEqual:
            let floor = number.rounded(.down)
            if floor < -0x1p63 { return nil }
            return .min...(Int64(exactly: floor) ?? .max)
        case .greater, .greaterOrEqual:
            let ceiling = number.rounded(.up)
            if ceiling >= 0x1p63 { return nil }
            return (Int64(exactly: ceiling) ?? .min) ... .max
        default: return nil
        }
    }

    /// The numbers that compare so with a number; `nil` if there are none.
    fileprivate func closedRange(from number: Double) -> ClosedRange<Double>? {
        switch self {
        case .equal: number...number
        case .less: -.infinity...number.nextDown
        case .lessOrEqual: -.infinity...number
        case .greater: number.nextUp ... .infinity
        case .greaterOrEqual: number ... .infinity
        default: nil
        }
    }
}
