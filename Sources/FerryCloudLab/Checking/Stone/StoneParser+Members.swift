extension StoneParser {
    /// Reads a structure behind its keyword.
    mutating func structure() throws(DescriptionError) -> StoneStructure {
        var structure = StoneStructure(name: try name(), base: nil)
        structure.base = try base()
        try endLine()
        try readFields(of: &structure)
        return structure
    }

    private mutating func readFields(of structure: inout StoneStructure) throws(DescriptionError) {
        guard accept(.indent) else { return }
        while !accept(.dedent) {
            if isAtSubtypes {
                structure.isOpen = current == .name("union")
                structure.subtypes = try subtypes()
            } else if let field = try field() {
                structure.fields.append(field)
            }
        }
    }

    /// Reads a union behind its keyword.
    mutating func union(isOpen: Bool) throws(DescriptionError) -> StoneUnion {
        var union = StoneUnion(name: try name(), base: nil, isOpen: isOpen)
        union.base = try base()
        try endLine()
        try readMembers(of: &union)
        return union
    }

    private mutating func readMembers(of union: inout StoneUnion) throws(DescriptionError) {
        guard accept(.indent) else { return }
        while !accept(.dedent) {
            if let member = try member() { union.members.append(member) }
        }
    }

    /// Reads an addition to a type behind its keyword.
    mutating func parsePatch() throws(DescriptionError) {
        let kind = try name()
        var patch = StonePatch(name: "", line: line)
        switch kind {
        case "struct":
            let structure = try structure()
            (patch.name, patch.fields) = (qualified(structure.name), structure.fields)
        case "union", "union_closed":
            let union = try union(isOpen: kind == "union")
            (patch.name, patch.members) = (qualified(union.name), union.members)
        default: throw failure("'\(kind)' can't be patched.")
        }
        namespace.patches.append(patch)
    }

    private mutating func base() throws(DescriptionError) -> String? {
        guard accept(.name("extends")) else { return nil }
        guard case .reference(let base) = try type() else { throw failure("Only a named type can be extended.") }
        return base
    }

    private var isAtSubtypes: Bool {
        (current == .name("union") || current == .name("union_closed")) && (next == .newline || next == .symbol("*"))
    }

    private mutating func subtypes() throws(DescriptionError) -> [String: String] {
        advance()
        _ = accept(.symbol("*"))
        try endLine()
        guard accept(.indent) else { throw failure("The subtypes are missing.") }
        var subtypes: [String: String] = [:]
        while !accept(.dedent) {
            let tag = try name()
            guard case .reference(let subtype) = try type() else { throw failure("A subtype must be a structure.") }
            subtypes[tag] = subtype
            try endLine()
            try skipBlock()
        }
        return subtypes
    }

    /// Reads one line of a structure with what is indented below it; returns `nil` for documentation and examples.
    private mutating func field() throws(DescriptionError) -> StoneStructure.Field? {
        if try skipNonMember() { return nil }
        var field = StoneStructure.Field(name: try name(), type: .void)
        field.type = try type()
        field.hasDefault = skipDefault()
        try endLine()
        field.annotations = try annotations(type: field.type)
        return field
    }

    private mutating func member() throws(DescriptionError) -> StoneUnion.Member? {
        if try skipNonMember() { return nil }
        var member = StoneUnion.Member(name: try name(), type: .void)
        _ = accept(.symbol("*"))
        if current != .newline { member.type = try type() }
        _ = skipDefault()
        try endLine()
        member.annotations = try annotations(type: member.type)
        return member
    }

    /// Passes over a default; returns `false` if there is none.
    private mutating func skipDefault() -> Bool {
        guard accept(.symbol("=")) else { return false }
        while current != .newline, current != .end { advance() }
        return true
    }

    /// Passes over documentation or an example; returns `false` if there is neither.
    private mutating func skipNonMember() throws(DescriptionError) -> Bool {
        if case .text = current {
            try skipTexts()
            return true
        }
        // A member may have the name, and then isn't followed by the name of an example and a block.
        guard current == .name("example"), case .name(let label) = next, label.first?.isLowercase == true else {
            return false
        }
        advance()
        advance()
        if case .text = current { advance() }
        try endLine()
        try skipBlock()
        return true
    }

    /// Reads the block below a member: documentation, annotations, and the definition of its type if it is only there.
    private mutating func annotations(type: StoneType) throws(DescriptionError) -> [String] {
        guard accept(.indent) else { return [] }
        var annotations: [String] = []
        while !accept(.dedent) {
            if accept(.symbol("@")) {
                let annotation = try name()
                annotations.append(accept(.symbol(".")) ? "\(annotation).\(try name())" : qualified(annotation))
                try endLine()
            } else if case .name(let keyword) = current, next == .newline {
                advance()
                advance()
                try defineInline(keyword, type)
            } else {
                guard case .text = current else { throw failure("Documentation or an annotation should be here.") }
                try skipTexts()
            }
        }
        return annotations
    }

    private mutating func defineInline(_ keyword: String, _ type: StoneType) throws(DescriptionError) {
        var named = type
        if case .optional(let inner) = type { named = inner }
        guard case .reference(let name) = named, let short = name.split(separator: ".").last.map(String.init) else {
            throw failure("Only a type with a name can be defined here.")
        }
        switch keyword {
        case "struct":
            var structure = StoneStructure(name: short, base: nil)
            try readFields(of: &structure)
            try define(short, .structure(structure))
        case "union", "union_closed":
            var union = StoneUnion(name: short, base: nil, isOpen: keyword == "union")
            try readMembers(of: &union)
            try define(short, .union(union))
        default: throw failure("'\(keyword)' begins no definition.")
        }
    }
}
