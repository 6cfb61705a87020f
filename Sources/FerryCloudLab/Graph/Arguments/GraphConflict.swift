/// The behaviour if something is where an item is to be.
enum GraphConflict: String, Sendable {
    case fail, replace, rename
}
