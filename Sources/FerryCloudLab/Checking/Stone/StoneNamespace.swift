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
