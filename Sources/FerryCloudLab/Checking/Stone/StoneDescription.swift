import Foundation

/// A whole description in the Stone language: all namespaces, with names resolved and inherited members in place.
struct StoneDescription: Sendable {
    /// A structure with the fields that it inherits.
    struct Structure: Sendable {
        var name: String
        var fields: [StoneStructure.Field]
        /// The structures, by tags, one of which a value is; `nil` if values are of this structure.
        var subtypes: [String: String]?
        var isOpen: Bool
    }

    /// A union with the members that it inherits.
    struct Union: Sendable {
        var name: String
        var members: [String: StoneUnion.Member]
        var isOpen: Bool
    }

    private(set) var structures: [String: Structure] = [:]
    private(set) var unions: [String: Union] = [:]
    private(set) var aliases: [String: StoneType] = [:]
    /// The operations, by their names in the path of a request, such as `files/search_v2`.
    private(set) var routes: [String: StoneRoute] = [:]
    /// The regular expressions, by their texts.
    private(set) var patterns: [String: NSRegularExpression] = [:]

    /// The annotations, with their namespaces, of members that are kept from the public.
    private(set) var omissions: Set<String> = []
    private var definitions: [String: StoneDefinition] = [:]
    /// The file and line of the first use of a name.
    private var references: [String: DescriptionError] = [:]

    /// Joins namespaces.
    ///
    /// - Parameter namespaces: All namespaces that refer to each other.
    /// - Throws: ``DescriptionError`` if a name isn't defined, or types are built from themselves.
    init(_ namespaces: [StoneNamespace]) throws(DescriptionError) {
        for namespace in namespaces {
            definitions.merge(namespace.definitions) { $1 }
            omissions.formUnion(namespace.omissions)
            for route in namespace.routes { routes[route.name] = route }
            for (name, line) in namespace.references {
                let file = namespace.file
                references[name] = DescriptionError(file: file, line: line, sentence: "'\(name)' isn't defined.")
                let owner = name.prefix { $0 != "." }
                guard owner == namespace.name || namespace.imports.contains(String(owner)) else {
                    throw DescriptionError(file: file, line: line, sentence: "'\(owner)' isn't imported.")
                }
            }
        }
        for namespace in namespaces {
            for patch in namespace.patches { try apply(patch, file: namespace.file) }
        }
        for (name, failure) in references.sorted(by: { $0.key < $1.key }) where definitions[name] == nil {
            throw failure
        }
        for (name, definition) in definitions.sorted(by: { $0.key < $1.key }) {
            switch definition {
            case .alias(let type): aliases[name] = type
            case .structure(let structure):
                structures[name] = Structure(
                    name: name,
                    fields: try fields(of: name),
                    subtypes: structure.subtypes,
                    isOpen: structure.isOpen
                )
            case .union(let union):
                let members = try members(of: name)
                unions[name] = Union(name: name, members: members, isOpen: union.isOpen)
            }
        }
        for name in aliases.keys.sorted() { _ = try resolved(.reference(name), depth: 0) }
        try compilePatterns()
    }

    private mutating func apply(_ patch: StonePatch, file: String) throws(DescriptionError) {
        switch definitions[patch.name] {
        case .structure(var structure)?:
            structure.fields += patch.fields
            definitions[patch.name] = .structure(structure)
        case .union(var union)?:
            union.members += patch.members
            definitions[patch.name] = .union(union)
        default:
            let sentence = "There is no '\(patch.name)' to patch."
            throw DescriptionError(file: file, line: patch.line, sentence: sentence)
        }
    }

    private func failure(about name: String, _ sentence: String) -> DescriptionError {
        var failure = references[name] ?? DescriptionError(file: name, line: 0, sentence: "")
        failure.sentence = sentence
        return failure
    }

    private func fields(of name: String, depth: Int = 0) throws(DescriptionError) -> [StoneStructure.Field] {
        guard depth < 50 else { throw failure(about: name, "'\(name)' extends itself.") }
        switch definitions[name] {
        case .structure(let structure)?:
            guard let base = structure.base else { return structure.fields }
            return try fields(of: base, depth: depth + 1) + structure.fields
        case .alias(.reference(let other))?: return try fields(of: other, depth: depth + 1)
        default: throw failure(about: name, "'\(name)' isn't a structure, and can't be extended as one.")
        }
    }

    private func members(of name: String, depth: Int = 0) throws(DescriptionError) -> [String: StoneUnion.Member] {
        guard depth < 50 else { throw failure(about: name, "'\(name)' extends itself.") }
        switch definitions[name] {
        case .union(let union)?:
            var members: [String: StoneUnion.Member] = [:]
            if let base = union.base { members = try self.members(of: base, depth: depth + 1) }
            for member in union.members { members[member.name] = member }
            return members
        case .alias(.reference(let other))?: return try members(of: other, depth: depth + 1)
        default: throw failure(about: name, "'\(name)' isn't a union, and can't be extended as one.")
        }
    }

    private func resolved(_ type: StoneType, depth: Int) throws(DescriptionError) -> StoneType {
        guard case .reference(let name) = type, let other = aliases[name] else { return type }
        guard depth < 50 else { throw failure(about: name, "'\(name)' is an alias of itself.") }
        return try resolved(other, depth: depth + 1)
    }

    private mutating func compilePatterns() throws(DescriptionError) {
        var types = Array(aliases.values)
        for structure in structures.values { types += structure.fields.map(\.type) }
        for union in unions.values { types += union.members.values.map(\.type) }
        for route in routes.values { types += [route.argument, route.result, route.error] }
        while let type = types.popLast() {
            switch type {
            case .text(_, let pattern?) where patterns[pattern] == nil:
                // As Python does it: a line ends at "\n" only, and the whole text must match.
                let expression = try? NSRegularExpression(
                    pattern: "\\A(?:\(pattern))\\z",
                    options: .useUnixLineSeparators
                )
                guard let expression else { throw failure(about: pattern, "'\(pattern)' is no regular expression.") }
                patterns[pattern] = expression
            case .list(let element, _): types.append(element)
            case .map(let key, let value): types += [key, value]
            case .optional(let inner): types.append(inner)
            default: break
            }
        }
    }
}

extension StoneDescription {
    /// Returns the type behind aliases.
    func resolved(_ type: StoneType) -> StoneType {
        var type = type
        // The initialiser has made sure that aliases end.
        while case .reference(let name) = type, let other = aliases[name] { type = other }
        return type
    }

    /// Reads all files of a folder whose names end in `.stone`.
    ///
    /// - Parameter folder: The folder.
    /// - Returns: The description.
    /// - Throws: ``DescriptionError``, or the error of the file system.
    static func read(from folder: URL) throws -> StoneDescription {
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "stone" }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
        guard !files.isEmpty else {
            throw DescriptionError(file: folder.lastPathComponent, line: 0, sentence: "There are no descriptions.")
        }
        return try StoneDescription(
            try files.map { try StoneParser.parse(Data(contentsOf: $0), file: $0.lastPathComponent) }
        )
    }
}
