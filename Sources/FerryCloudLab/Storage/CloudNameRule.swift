/// The rules by which a storage tells names apart.
struct CloudNameRule: Sendable {
    /// A Boolean value that indicates whether names that differ in case only are the same.
    var foldsCase = true

    /// Returns the form of a name that is compared.
    func key(_ name: String) -> String { foldsCase ? name.lowercased() : name }

    /// Returns the form of a path that is compared, as one string.
    func key(_ path: some Sequence<String>) -> String { path.map { "/" + key($0) }.joined() }
}
