/// A type that a description names.
enum StoneDefinition: Sendable {
    case alias(StoneType)
    case structure(StoneStructure)
    case union(StoneUnion)
}

/// A structure: fields by name.
struct StoneStructure: Sendable {
    /// A field.
    struct Field: Sendable {
        var name: String
        var type: StoneType
        /// A Boolean value that indicates whether the field has a default, so that it may be left out.
        var hasDefault = false
        var annotations: [String] = []
    }

    var name: String
    var base: String?
    /// The structure's own fields.
    var fields: [Field] = []
    /// The structures, by tags, one of which a value is; `nil` if values are of this structure.
    var subtypes: [String: String]?
    /// A Boolean value that indicates whether there may be subtypes that the description doesn't know.
    var isOpen = false
}

/// A union: one of several tags, perhaps with a value.
struct StoneUnion: Sendable {
    /// A tag.
    struct Member: Sendable {
        var name: String
        /// The type of the value; ``StoneType/void`` if there is none.
        var type: StoneType
        var annotations: [String] = []
    }

    var name: String
    var base: String?
    /// The union's own members.
    var members: [Member] = []
    /// A Boolean value that indicates whether there may be tags that the description doesn't know.
    var isOpen: Bool
}

/// An addition to a type that is described elsewhere in the namespace.
struct StonePatch: Sendable {
    var name: String
    var fields: [StoneStructure.Field] = []
    var members: [StoneUnion.Member] = []
    var line: Int
}
