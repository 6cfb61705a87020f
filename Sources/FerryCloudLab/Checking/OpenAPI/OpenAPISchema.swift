import Foundation

/// The form of a JSON value in an OpenAPI 3.0 document (its section "Schema Object").
struct OpenAPISchema: Sendable {
    /// The name of the schema in the document's components that is meant instead.
    var reference: String?
    var type: String?
    var format: String?
    var pattern: NSRegularExpression?
    var minimum: Double?
    var maximum: Double?
    var isNullable = false
    /// The values that are allowed; `nil` for all.
    var values: [JSONValue]?
    /// The schema of the elements: none or one.
    var items: [OpenAPISchema] = []
    var properties: [String: OpenAPISchema] = [:]
    var required: Set<String> = []
    /// A Boolean value that indicates whether there may be properties that aren't described.
    var isOpen = false
    /// The schemas all of which a value has (`allOf`).
    var parts: [OpenAPISchema] = []
    /// The schemas one of which a value has (`oneOf` and `anyOf`).
    var alternatives: [OpenAPISchema] = []
}

extension OpenAPISchema {
    static func reference(_ name: String) -> OpenAPISchema { OpenAPISchema(reference: name) }

    /// Reads a schema.
    ///
    /// - Parameter value: The schema as JSON.
    /// - Throws: ``DescriptionError``.
    init(_ value: JSONValue) throws(DescriptionError) {
        if let name = value["$ref"]?.string {
            reference = OpenAPIDocument.name(ofReference: name)
            return
        }
        type = value["type"]?.string
        format = value["format"]?.string
        if let text = value["pattern"]?.string {
            guard let expression = try? NSRegularExpression(pattern: text) else {
                throw DescriptionError(file: "", line: 0, sentence: "'\(text)' is no regular expression.")
            }
            pattern = expression
        }
        minimum = value["minimum"]?.double
        maximum = value["maximum"]?.double
        isNullable = value["nullable"]?.bool ?? false
        values = value["enum"]?.array
        if let element = value["items"] { items = [try OpenAPISchema(element)] }
        for member in value["properties"]?.object?.members ?? [] {
            properties[member.name] = try OpenAPISchema(member.value)
        }
        required = Set((value["required"]?.array ?? []).compactMap(\.string))
        for part in value["allOf"]?.array ?? [] { parts.append(try OpenAPISchema(part)) }
        for alternative in (value["oneOf"]?.array ?? []) + (value["anyOf"]?.array ?? []) {
            alternatives.append(try OpenAPISchema(alternative))
        }
        let additional = value["additionalProperties"]
        // An object without any property is one that the document leaves open.
        let isBare = properties.isEmpty && parts.isEmpty && alternatives.isEmpty && type ?? "object" == "object"
        isOpen = isBare ? additional?.bool != false : additional?.object != nil || additional?.bool == true
    }
}

extension JSONValue {
    /// The number, if the value is one.
    var double: Double? {
        switch self {
        case .integer(let integer): Double(integer)
        case .number(let number): number
        default: nil
        }
    }
}
