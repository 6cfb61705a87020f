public import FerryCore

extension MemoryFileProvider: FileProviderVersioning {
    /// The earlier contents of a file, latest first.
    public func versions(of path: ItemPath) async throws -> [FileVersion] {
        try read { tree in try tree.versions(of: path) }
    }

    /// Opens an earlier content for reading.
    public func contentStream(of version: FileVersion, path: ItemPath) async throws -> FileContentStream {
        let old = try read { tree in try tree.content(of: version, path: path) }
        let size = Int64(old.content.count)
        let facts = FileContentFacts(size: size, range: 0..<size, eTag: version.eTag, modifiedDate: old.modified)
        return stream(old.content, facts: facts, reporting: nil)
    }

    /// Makes an earlier content the present one.
    public func restore(_ version: FileVersion, of path: ItemPath) async throws {
        try change { tree, _ in try tree.restore(version, of: path) }
    }
}
