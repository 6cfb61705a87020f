/// An item whose attributes are set together with those of others.
public struct ItemAttributesChange: Sendable, Hashable {
    /// The item.
    public var path: ItemPath
    /// The attributes to set.
    public var attributes: ItemAttributes

    /// Makes a value.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - attributes: The attributes to set.
    public init(path: ItemPath, attributes: ItemAttributes) {
        self.path = path
        self.attributes = attributes
    }
}
