/// What a file says about itself: EXIF, ID3, document information.
public struct FileProperties: Sendable, Hashable {
    /// One property, ready to be shown.
    public struct Property: Sendable, Hashable, Codable {
        /// Its name, such as `Dimensions`.
        public let name: String
        /// Its value, such as `4032 × 3024`.
        public let value: String

        /// Makes a property.
        ///
        /// - Parameters:
        ///   - name: Its name.
        ///   - value: Its value.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The properties in the order in which to show them.
    public var properties: [Property]

    /// Makes a value.
    ///
    /// - Parameter properties: In the order in which to show them.
    public init(_ properties: [Property]) {
        self.properties = properties
    }

    /// The value of a property, by its name.
    public subscript(name: String) -> String? {
        properties.first { $0.name == name }?.value
    }
}
