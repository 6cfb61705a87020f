import FerryMediaWire

/// All readers of properties, by the kind of file.
enum PropertyReaders {
    private static let all: [any PropertyReader.Type] = [FilePropertyReader.self]

    /// Reads what a file says about itself.
    ///
    /// - Parameters:
    ///   - job: The job.
    ///   - source: The file's bytes.
    /// - Returns: The properties in the file, in the order in which to show them.
    /// - Throws: `Refusal` for a kind that no reader knows, for a damaged file, or one that can't be read.
    static func read(_ job: PropertiesJob, from source: ByteSource) throws(Refusal) -> [PropertyEntry] {
        let kind = try FileKind.detect(in: source, extensionHint: job.extensionHint)
        guard let reader = all.first(where: { $0.reads(kind) }) else {
            throw Refusal(.unsupported, "nothing is known about what this kind of file says of itself")
        }
        return try reader.read(source, kind: kind)
    }
}

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
