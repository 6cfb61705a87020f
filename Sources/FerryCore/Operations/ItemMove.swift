/// An item that is moved together with others.
public struct ItemMove: Sendable, Hashable {
    /// The item.
    public var path: ItemPath
    /// Its new path, name included.
    public var target: ItemPath

    /// Makes a value.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - target: Its new path, name included.
    public init(path: ItemPath, to target: ItemPath) {
        self.path = path
        self.target = target
    }
}
