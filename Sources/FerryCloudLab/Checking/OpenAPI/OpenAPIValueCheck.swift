import Foundation

/// A comparison of JSON values with schemas of an OpenAPI document.
struct OpenAPIValueCheck {
    private static let maximumNesting = 100

    let document: OpenAPIDocument
    let rules: any OpenAPIRules
    let side: CloudFinding.Side
    private(set) var findings: [ValueFinding] = []
    private var place = JSONPlace()
    private var nesting = 0

    /// Starts without findings.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - rules: The rules of the service that the document doesn't hold.
    ///   - side: The part of the exchange that holds the values.
    init(_ document: OpenAPIDocument, rules: any OpenAPIRules, side: CloudFinding.Side) {
        self.document = document
        self.rules = rules
        self.side = side
    }

    mutating func report(_ sentence: String) {
        findings.append(ValueFinding(path: place.text, sentence: sentence))
    }

    private mutating func expected(_ type: String, _ value: JSONValue) {
        report("Expected is \(type), not \(value.article).")
    }

    private mutating func report(member: String, _ sentence: String) {
        place.enter(member: member)
        report(sentence)
        place.leave()
    }

    /// Compares a value.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - schema: The schema.
    mutating func check(_ value: JSONValue, _ schema: OpenAPISchema) {
        let resolved = document.resolved(schema)
        if value == .null {
            // Facets of items are objects, and clients look whether they are there.
            if !resolved.isNullable, !(side == .request && schema.reference != nil) { report("Null is not allowed.") }
            return
        }
        if !resolved.alternatives.isEmpty { return check(value, alternatives: resolved.alternatives) }
        if let shape = document.shape(of: schema), resolved.type ?? "object" == "object" {
            return check(value, shape)
        }
        if let values = resolved.values, !values.contains(value) { report("\(value.article) is no value of the list.") }
        switch resolved.type {
        case "string": checkText(value, resolved)
        case "integer", "number": checkNumber(value, resolved)
        case "boolean": if value.bool == nil { expected("a Boolean value", value) }
        case "array":
            guard let elements = value.array else { return expected("a list", value) }
            guard let schema = resolved.items.first else { return }
            for (index, element) in elements.enumerated() {
                place.enter(element: index)
                check(element, schema)
                place.leave()
            }
        default: break
        }
    }

    private mutating func check(_ value: JSONValue, alternatives: [OpenAPISchema]) {
        // Alternatives may name each other.
        guard nesting < Self.maximumNesting else { return }
        nesting += 1
        defer { nesting -= 1 }
        var first: [ValueFinding]?
        for alternative in alternatives {
            var check = self
            check.findings = []
            check.check(value, alternative)
            if check.findings.isEmpty { return }
            first = first ?? check.findings
        }
        findings += first ?? []
    }

    private mutating func check(_ value: JSONValue, _ shape: OpenAPIDocument.Shape) {
        guard let object = value.object else {
            if !shape.isOpen { expected("an object", value) }
            return
        }
        var seen: Set<String> = []
        for member in object.members {
            if !seen.insert(member.name).inserted { report(member: member.name, "The property is there twice.") }
            if let schema = shape.properties[member.name] {
                place.enter(member: member.name)
                check(member.value, schema)
                place.leave()
            } else if !shape.isOpen, !rules.allows(property: member.name, value: member.value, in: side) {
                report(member: member.name, "The property is unknown.")
            }
        }
        for name in shape.required.sorted() where !seen.contains(name) {
            report(member: name, "The property is missing.")
        }
        for complaint in rules.complaints(about: object, schemas: shape.names, in: side) {
            if let property = complaint.property {
                report(member: property, complaint.sentence)
            } else {
                report(complaint.sentence)
            }
        }
    }

    private mutating func checkText(_ value: JSONValue, _ schema: OpenAPISchema) {
        guard let text = value.string else { return expected("a string", value) }
        if let pattern = schema.pattern {
            let whole = NSRange(location: 0, length: text.utf16.count)
            if pattern.firstMatch(in: text, range: whole) == nil { report("'\(text)' has another form.") }
        }
        switch schema.format {
        case "date-time": if !Self.isDate(text) { report("'\(text)' is no date of RFC 3339.") }
        case "uuid": if UUID(uuidString: text) == nil { report("'\(text)' is no UUID.") }
        default: break
        }
    }

    private mutating func checkNumber(_ value: JSONValue, _ schema: OpenAPISchema) {
        guard let number = value.double else { return expected("a number", value) }
        if schema.type == "integer", case .number = value { return expected("an integer", value) }
        let bounds: (lower: Double, upper: Double) =
            switch schema.format {
            case "int16": (-32768, 32767)
            case "int32": (-2_147_483_648, 2_147_483_647)
            default: (-.infinity, .infinity)
            }
        let lower = max(bounds.lower, schema.minimum ?? -.infinity)
        let upper = min(bounds.upper, schema.maximum ?? .infinity)
        if number < lower || number > upper { report("\(value.article) is not within \(lower)...\(upper).") }
    }

    /// Returns `true` if a text is a date of RFC 3339 that exists in the calendar.
    static func isDate(_ text: String) -> Bool {
        guard text.utf8.count >= 20, text.utf8.allSatisfy({ $0 < 0x80 }) else { return false }
        guard StoneTimestamp.matches(String(text.prefix(19)), format: "%Y-%m-%dT%H:%M:%S") else { return false }
        var rest = text.dropFirst(19)
        if rest.first == "." {
            let digits = rest.dropFirst().prefix { ("0"..."9").contains($0) }
            guard (1...12).contains(digits.count) else { return false }
            rest = rest.dropFirst(1 + digits.count)
        }
        if rest == "Z" { return true }
        guard rest.first == "+" || rest.first == "-" else { return false }
        return StoneTimestamp.matches(String(rest.dropFirst()), format: "%H:%M")
    }
}

/// The rules of a service that its OpenAPI document doesn't hold.
protocol OpenAPIRules: Sendable {
    /// Returns `true` if a property that isn't described is allowed nevertheless, as an annotation is.
    func allows(property name: String, value: JSONValue, in side: CloudFinding.Side) -> Bool

    /// Returns what is wrong with an object beyond its schema.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - names: The names of the schemas that it is made of.
    ///   - side: The part of the exchange that holds it.
    /// - Returns: Properties, `nil` for the object itself, and sentences.
    func complaints(
        about object: JSONObject,
        schemas names: Set<String>,
        in side: CloudFinding.Side
    ) -> [(property: String?, sentence: String)]
}
