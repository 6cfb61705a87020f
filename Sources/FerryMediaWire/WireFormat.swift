/// The constants that the library and the program `ferry-media` agree on before anything else.
package enum WireFormat {
    /// The version of the messages.
    ///
    /// The program names it first; the library talks to no other.
    package static let version: UInt8 = 1

    /// The longest frame, in bytes, its kind included.
    ///
    /// A longer one is refused before anything is read of it.
    package static let longestFrame = 64 << 20

    /// The most bytes that one read asks for.
    ///
    /// Large enough for a slow network, small against the program's memory.
    package static let longestRead = 1 << 20
}

/// The bytes from the other side are no message.
package struct WireError: Error, Hashable, CustomStringConvertible {
    /// The problem, in words.
    package let description: String

    /// Makes an error.
    ///
    /// - Parameter description: The problem, in words.
    package init(_ description: String) {
        self.description = description
    }
}
