/// Schemas from an OData metadata document (OASIS, "OData Common Schema Definition Language (CSDL) XML
/// Representation").
enum CSDLDocument {
    /// Reads the types of a document.
    ///
    /// Complex types that the document leaves open stay open; entities are closed, since an open entity has dynamic
    /// properties only where an app has put them.
    ///
    /// - Parameters:
    ///   - bytes: The document in UTF-8.
    ///   - file: The name of the file, for errors.
    /// - Returns: The schemas, by their names with the namespace, such as `microsoft.graph.driveItem`.
    /// - Throws: ``DescriptionError``.
    static func schemas(
        _ bytes: some Sequence<UInt8>,
        file: String
    ) throws(DescriptionError) -> [String: OpenAPISchema] {
        var schemas: [String: OpenAPISchema] = [:]
        for element in schemaElements(in: try XMLElement.parse(bytes, file: file)) {
            guard let namespace = element.attributes["Namespace"] else {
                throw DescriptionError(file: file, line: 0, sentence: "A schema needs a namespace.")
            }
            let alias = element.attributes["Alias"] ?? namespace
            for child in element.children {
                guard let name = child.attributes["Name"] else { continue }
                let types = CSDLTypes(namespace: namespace, alias: alias)
                if let schema = types.schema(of: child) { schemas["\(namespace).\(name)"] = schema }
            }
        }
        guard !schemas.isEmpty else { throw DescriptionError(file: file, line: 0, sentence: "There are no types.") }
        return schemas
    }

    private static func schemaElements(in element: XMLElement) -> [XMLElement] {
        element.name == "Schema" ? [element] : element.children.flatMap(schemaElements)
    }
}

/// A translation of types in a metadata document to schemas.
struct CSDLTypes {
    let namespace: String
    let alias: String

    /// Returns the schema of a definition; `nil` if it defines no type.
    func schema(of element: XMLElement) -> OpenAPISchema? {
        switch element.name {
        case "EnumType":
            var schema = OpenAPISchema(type: "string")
            schema.values = element.children
                .filter { $0.name == "Member" }
                .compactMap { $0.attributes["Name"].map(JSONValue.string) }
            return schema
        case "ComplexType", "EntityType":
            var own = OpenAPISchema(type: "object")
            for child in element.children where child.name == "Property" || child.name == "NavigationProperty" {
                guard let name = child.attributes["Name"], let type = child.attributes["Type"] else { continue }
                own.properties[name] = schema(type, isNullable: child.attributes["Nullable"] != "false")
            }
            own.isOpen = element.name == "ComplexType" && element.attributes["OpenType"] == "true"
            guard let base = element.attributes["BaseType"] else { return own }
            var schema = OpenAPISchema()
            schema.parts = [.reference(qualified(base)), own]
            schema.properties = own.properties
            return schema
        default: return nil
        }
    }

    private func qualified(_ name: String) -> String {
        name.hasPrefix(alias + ".") ? namespace + name.dropFirst(alias.count) : name
    }

    private func schema(_ type: String, isNullable: Bool) -> OpenAPISchema {
        if type.hasPrefix("Collection("), type.hasSuffix(")") {
            var schema = OpenAPISchema(type: "array")
            schema.items = [self.schema(String(type.dropFirst(11).dropLast()), isNullable: true)]
            return schema
        }
        guard type.hasPrefix("Edm.") else { return .reference(qualified(type)) }
        var schema = OpenAPISchema()
        schema.isNullable = isNullable
        (schema.type, schema.format) =
            switch type.dropFirst(4) {
            case "Int16": ("integer", "int16")
            case "Int32": ("integer", "int32")
            case "Int64": ("integer", nil)
            case "Double", "Single", "Decimal": ("number", nil)
            case "Boolean": ("boolean", nil)
            case "DateTimeOffset": ("string", "date-time")
            case "Guid": ("string", "uuid")
            default: ("string", nil)
            }
        return schema
    }
}
