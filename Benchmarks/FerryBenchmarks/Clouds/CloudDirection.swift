/// The direction of a transfer, from this machine or to it.
enum CloudDirection: String, Sendable {
    case up, down

    var preposition: String { self == .up ? "to" : "from" }
}
