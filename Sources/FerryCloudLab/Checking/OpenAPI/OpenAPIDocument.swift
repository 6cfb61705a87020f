import Foundation

/// A description of an API in an OpenAPI 3.0 document (https://spec.openapis.org/oas/v3.0.3).
struct OpenAPIDocument: Sendable {
    /// The properties of an object with those of all its parts.
    struct Shape: Sendable {
        var properties: [String: OpenAPISchema] = [:]
        var required: Set<String> = []
        var isOpen = false
        /// The names of the schemas that it is made of.
        var names: Set<String> = []
    }

    /// The schemas by name.
    private(set) var schemas: [String: OpenAPISchema] = [:]
    /// The properties of the named schemas.
    private(set) var shapes: [String: Shape] = [:]
    private(set) var operations: [(template: OpenAPITemplate, operation: OpenAPIOperation)] = []

    /// Reads a document.
    ///
    /// - Parameters:
    ///   - bytes: The document as JSON.
    ///   - file: The name of the file, for errors.
    ///   - supplement: Schemas that complete the document's own, by name.
    /// - Throws: ``DescriptionError``.
    init(
        _ bytes: some Sequence<UInt8>,
        file: String,
        supplement: [String: OpenAPISchema] = [:]
    ) throws(DescriptionError) {
        let root: JSONValue
        do {
            root = try JSONParser.parse(bytes)
        } catch {
            throw DescriptionError(file: file, line: 0, sentence: "The text is no JSON (byte \(error.offset)).")
        }
        do {
            try read(root, supplement: supplement)
        } catch {
            throw DescriptionError(file: file, line: 0, sentence: error.sentence)
        }
    }

    private mutating func read(
        _ root: JSONValue,
        supplement: [String: OpenAPISchema]
    ) throws(DescriptionError) {
        for member in root["components"]?["schemas"]?.object?.members ?? [] {
            schemas[member.name] = try OpenAPISchema(member.value)
        }
        for (name, schema) in supplement { complete(name, with: schema) }
        for (name, schema) in schemas { shapes[name] = try shape(of: schema, name: name, depth: 0) }
        for path in root["paths"]?.object?.members ?? [] {
            let template = OpenAPITemplate(path.name)
            for member in path.value.object?.members ?? [] where Self.methods.contains(member.name) {
                let shared = path.value["parameters"]?.array ?? []
                operations.append((template, try operation(member, shared: shared, root)))
            }
        }
        guard !operations.isEmpty else {
            throw DescriptionError(file: "", line: 0, sentence: "The document has no operations.")
        }
    }

    private static let methods: Set<String> = ["get", "put", "post", "delete", "patch", "head", "options"]

    /// Adds the properties that a schema lacks.
    private mutating func complete(_ name: String, with other: OpenAPISchema) {
        guard var schema = schemas[name] else {
            schemas[name] = other
            return
        }
        // A schema that is cut out of the document takes anything.
        guard !schema.isOpen else { return }
        var own = OpenAPISchema(type: "object")
        own.properties = other.properties
        own.isOpen = other.isOpen
        schema.parts.append(own)
        schemas[name] = schema
    }

    private func operation(
        _ member: JSONObject.Member,
        shared: [JSONValue],
        _ root: JSONValue
    ) throws(DescriptionError) -> OpenAPIOperation {
        var operation = OpenAPIOperation(method: member.name.uppercased())
        for parameter in shared + (member.value["parameters"]?.array ?? []) {
            let parameter = resolved(parameter, root)
            guard parameter["in"] == "query", let name = parameter["name"]?.string else { continue }
            operation.query[name] = try OpenAPISchema(parameter["schema"] ?? .object(JSONObject()))
        }
        if let body = member.value["requestBody"].map({ resolved($0, root) }) {
            operation.body = try self.body(body)
            operation.isBodyRequired = body["required"]?.bool ?? false
        }
        for answer in member.value["responses"]?.object?.members ?? [] {
            operation.answers.updateValue(try body(resolved(answer.value, root)), forKey: answer.name)
        }
        return operation
    }

    private func body(_ value: JSONValue) throws(DescriptionError) -> OpenAPIOperation.Body? {
        guard let member = value["content"]?.object?.members.first else { return nil }
        let schema = try OpenAPISchema(member.value["schema"] ?? .object(JSONObject()))
        return OpenAPIOperation.Body(contentType: member.name, schema: schema)
    }

    /// Returns what a reference to a place in the document means.
    private func resolved(_ value: JSONValue, _ root: JSONValue) -> JSONValue {
        guard let reference = value["$ref"]?.string else { return value }
        return reference.split(separator: "/").dropFirst().reduce(root) { $0[String($1)] ?? .null }
    }

    /// Returns the name of a schema that is referred to.
    static func name(ofReference reference: String) -> String {
        reference.split(separator: "/").last.map(String.init) ?? reference
    }

    private func shape(of schema: OpenAPISchema, name: String, depth: Int) throws(DescriptionError) -> Shape {
        guard depth < 50 else {
            throw DescriptionError(file: "", line: 0, sentence: "'\(name)' is made of itself.")
        }
        if let reference = schema.reference {
            guard let target = schemas[reference] else {
                throw DescriptionError(file: "", line: 0, sentence: "There is no schema '\(reference)'.")
            }
            var shape = try self.shape(of: target, name: reference, depth: depth + 1)
            shape.names.insert(reference)
            return shape
        }
        var shape = Shape(
            properties: schema.properties,
            required: schema.required,
            isOpen: schema.isOpen,
            names: depth == 0 ? [name] : []
        )
        for part in schema.parts {
            let inner = try self.shape(of: part, name: name, depth: depth + 1)
            shape.properties.merge(inner.properties) { own, _ in own }
            shape.required.formUnion(inner.required)
            shape.isOpen = shape.isOpen || inner.isOpen
            shape.names.formUnion(inner.names)
        }
        return shape
    }
}

extension OpenAPIDocument {
    /// Returns the operation that a request is for.
    ///
    /// - Parameters:
    ///   - method: The method in capitals.
    ///   - path: The segments of the path, percent-decoded.
    ///   - namespace: The prefix that names of operations may be written without.
    /// - Returns: The operation with its path; `nil` if there is none.
    func operation(
        method: String,
        path: [String],
        namespace: String = ""
    ) -> (template: OpenAPITemplate, operation: OpenAPIOperation)? {
        operations
            .filter {
                $0.operation.method == method && $0.template.count == path.count
                    && $0.template.matches(path, namespace: namespace)
            }
            .max { $0.template.literalCount < $1.template.literalCount }
    }

    /// Returns the properties of a schema, if it is the one of an object.
    func shape(of schema: OpenAPISchema) -> Shape? {
        if let name = schema.reference { return shapes[name] }
        if !schema.parts.isEmpty {
            return schema.parts.compactMap(shape).reduce(into: Shape()) { shape, part in
                shape.properties.merge(part.properties) { own, _ in own }
                shape.required.formUnion(part.required)
                shape.isOpen = shape.isOpen || part.isOpen
                shape.names.formUnion(part.names)
            }
        }
        guard schema.type ?? "object" == "object", schema.alternatives.isEmpty else { return nil }
        return Shape(properties: schema.properties, required: schema.required, isOpen: schema.isOpen)
    }

    /// Returns the schema that a reference means, if it is none of an object.
    func resolved(_ schema: OpenAPISchema) -> OpenAPISchema {
        var schema = schema
        // The initialiser has made sure that references end.
        while let name = schema.reference, let target = schemas[name] { schema = target }
        return schema
    }
}

/// An operation in an OpenAPI document.
struct OpenAPIOperation: Sendable {
    /// A body of a request or an answer.
    struct Body: Sendable {
        var contentType: String
        var schema: OpenAPISchema
    }

    /// The method in capitals.
    var method: String
    /// The parameters of the query, by name.
    var query: [String: OpenAPISchema] = [:]
    /// The body of the request; `nil` for none.
    var body: Body?
    var isBodyRequired = false
    /// The bodies of answers by status: `200`, `2XX`, `default`; `nil` for none.
    var answers: [String: Body?] = [:]

    /// Returns the body that an answer has; `nil` if the status isn't described, a body of `nil` if it has none.
    func answer(status: Int) -> Body?? {
        answers[String(status)] ?? answers["\(status / 100)XX"] ?? answers["default"]
    }
}
