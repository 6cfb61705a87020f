/// A listener for files that a storage can only write under their final names, where half a file stays if the process
/// dies.
///
/// Whoever writes down what it hears can remove or complete what broke off.
package struct InPlaceWriting: Sendable {
    /// Called for a file before the first byte of it is sent; returns when that is written down.
    package let begins: @Sendable (PartialWrite) async -> Void

    /// Makes a listener.
    ///
    /// - Parameter begins: Called for a file before the first byte of it is sent.
    package init(_ begins: @escaping @Sendable (PartialWrite) async -> Void) {
        self.begins = begins
    }
}

extension PartialWrite {
    private static let inPlaceKey = "inPlace"

    /// A file that is written under its final name.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - length: Bytes in all; `nil` if that is not known.
    package init(inPlace path: ItemPath, length: Int64?) {
        self.init(path: path, length: length ?? 0, limits: PartialWriteLimits(), values: [Self.inPlaceKey: "true"])
    }

    /// Indicates whether the file is written under its final name.
    package var isInPlace: Bool { values[Self.inPlaceKey] != nil }
}
