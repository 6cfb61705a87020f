import FerryMediaWire

/// Reads what a kind of file says about itself.
///
/// Bytes come by the source alone: the program can open no file. To add one, conform a type in a file of this folder
/// and name it in `PropertyReaders`.
protocol PropertyReader: Sendable {
    /// Returns whether this reader knows the kind.
    ///
    /// - Parameter kind: The detected kind of the content.
    /// - Returns: `true` if `read` can do something with it.
    static func reads(_ kind: FileKind) -> Bool

    /// Reads.
    ///
    /// - Parameters:
    ///   - source: The file's bytes.
    ///   - kind: The detected kind of the content.
    /// - Returns: The properties in the file, in the order in which to show them; none if it has none.
    /// - Throws: `Refusal` for a damaged file, or one that can't be read.
    static func read(_ source: ByteSource, kind: FileKind) throws(Refusal) -> [PropertyEntry]
}
