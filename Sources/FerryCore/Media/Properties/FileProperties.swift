/// Properties that a file tells of itself: EXIF, ID3, document information.
///
/// Values are typed; ``FilePropertyDisplay`` makes the words to show of them.
///
/// ```swift
/// let properties = try await provider.propertiesOfFile(path: "/photos/beach.jpg")
/// if case .size(let size)? = properties[.dimensions] { print(size.width, size.height) }
/// for property in properties.properties { print(property.name, property.text) }
/// ```
public struct FileProperties: Sendable, Hashable, Codable {
    /// One property: what it is about, and what is said.
    public struct Property: Sendable, Hashable, Codable {
        /// The subject.
        public let key: FilePropertyKey
        /// The property's value, in the unit that the key documents.
        public let value: FilePropertyValue

        /// Makes a property.
        ///
        /// - Parameters:
        ///   - key: The property's key.
        ///   - value: The property's value.
        public init(_ key: FilePropertyKey, _ value: FilePropertyValue) {
            self.key = key
            self.value = value
        }

        /// Its name in English, such as `Dimensions`.
        public var name: String { FilePropertyDisplay.english.name(of: key) }

        /// Its value in English, such as `4032 × 3024`.
        public var text: String { FilePropertyDisplay.english.text(of: self) }
    }

    /// The properties in the order in which to show them, each key once.
    public let properties: [Property]

    /// Makes a value.
    ///
    /// - Parameter properties: In the order in which to show them; of several with one key, the first counts.
    public init(_ properties: [Property]) {
        var seen: Set<FilePropertyKey> = []
        self.properties = properties.filter { seen.insert($0.key).inserted }
    }

    /// The keys of all properties, in the order in which to show them.
    public var keys: [FilePropertyKey] { properties.map(\.key) }

    /// Indicates whether the file says nothing.
    public var isEmpty: Bool { properties.isEmpty }

    /// Returns what is said about something; `nil` if nothing is.
    public subscript(key: FilePropertyKey) -> FilePropertyValue? {
        properties.first { $0.key == key }?.value
    }

    /// Returns what is said about something, in English words; `nil` if nothing is.
    ///
    /// - Parameter key: The property's key.
    /// - Returns: Such as `f/2.8`.
    public func text(_ key: FilePropertyKey) -> String? {
        properties.first { $0.key == key }?.text
    }
}
