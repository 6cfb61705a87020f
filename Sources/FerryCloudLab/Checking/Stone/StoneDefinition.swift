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

/// A file of a description.
struct StoneNamespace: Sendable {
    var name: String
    var file: String
    var imports: Set<String> = []
    /// The types, by names with the namespace.
    var definitions: [String: StoneDefinition] = [:]
    var patches: [StonePatch] = []
    var routes: [StoneRoute] = []
    /// The annotations, with the namespace, of members that are kept from the public.
    var omissions: Set<String> = []
    /// The types that are referred to, with the first line that does so.
    var references: [String: Int] = [:]
}

/// An operation in a description.
struct StoneRoute: Sendable {
    /// The name with its namespace and version as in the path of a request: `files/search_v2`.
    var name: String
    var argument: StoneType
    var result: StoneType
    var error: StoneType
    var attributes: [String: String] = [:]
    var isDeprecated = false

    /// The endpoint that is called: `api`, `content` or `notify`.
    var host: String { attributes["host"] ?? "api" }
    /// The place of the argument and result: `rpc`, `upload` or `download`.
    var style: String { attributes["style"] ?? "rpc" }
    /// The kinds of credential that are accepted, such as `user`; `noauth` for none.
    var credentials: [String] { (attributes["auth"] ?? "user").split { $0 == "," || $0 == " " }.map(String.init) }
}

/// The type of a value in a description.
indirect enum StoneType: Sendable, Equatable {
    case void
    case boolean
    case bytes
    /// A text: its length in characters, and the regular expression that it matches as a whole.
    case text(length: ClosedRange<Int>, pattern: String?)
    /// An integer; both bounds are included.
    case integer(minimum: Int64, maximum: UInt64)
    case float(ClosedRange<Double>)
    /// A date in a format of `strptime`.
    case timestamp(format: String)
    case list(StoneType, count: ClosedRange<Int>)
    case map(key: StoneType, value: StoneType)
    /// A value that may be null or left out.
    case optional(StoneType)
    /// A structure, union or alias, with its namespace: `files.Metadata`.
    case reference(String)
}
