import FerryCore

extension Session {
    /// Says which name a new item has, if another item has the one that was wanted.
    ///
    /// - Parameters:
    ///   - path: The new item.
    ///   - wanted: The place that was wanted for it.
    func tellName(of path: ItemPath, wanted: Location) {
        guard path != wanted.path else { return }
        console.tell("ferry: \(wanted.text): is there already, the new one is '\(path.lastName)'")
    }
}
