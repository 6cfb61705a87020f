extension FileObject: CustomStringConvertible {
    /// Path, type and size, for logs and for people who debug.
    public var description: String {
        guard let size else { return "\(path) (\(type.queryName))" }
        return "\(path) (\(type.queryName), \(size) bytes)"
    }
}
