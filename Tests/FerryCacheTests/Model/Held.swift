/// The values that something has had, and until when: the oracle's memory.
struct Held<Value: Hashable & Sendable>: Sendable {
    private(set) var current: Value
    private var last: [Value: Int] = [:]

    init(_ value: Value) {
        current = value
    }

    /// It becomes another at a step.
    mutating func set(_ value: Value, at step: Int) {
        guard value != current else { return }
        last[current] = step - 1
        current = value
    }

    /// Returns whether it was this at some time since a step.
    func was(_ value: Value, since step: Int) -> Bool {
        value == current || (last[value] ?? -1) >= step
    }

    /// Returns what it was at some time since a step.
    func all(since step: Int) -> [Value] { [current] + last.filter { $0.value >= step }.map(\.key) }

    /// It has also been what another was, which has become this.
    ///
    /// - Parameters:
    ///   - other: The other.
    ///   - floor: The step since which the other's values could still be shown as its present state, and so can be as
    ///     this one's.
    ///   - step: Now.
    ///   - moved: Returns the value that another becomes by the move.
    mutating func inherit(_ other: Held, since floor: Int, at step: Int, moved: (Value) -> Value = { $0 }) {
        for (value, until) in other.last where until >= floor { last[moved(value)] = step }
        last[moved(other.current)] = step
    }
}
