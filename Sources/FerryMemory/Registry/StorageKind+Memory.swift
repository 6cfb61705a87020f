public import FerryCore

extension StorageKind {
    /// The memory of this process: empty at first, and gone when it ends.
    public static let memory: StorageKind = {
        var kind = StorageKind(
            type: MemoryFileProvider.type,
            displayName: "Memory",
            summary: "The memory of the program, gone when it ends"
        ) { _, opening in
            MemoryFileProvider(environment: opening.environment)
        }
        kind.needsNoConfiguration = true
        return kind
    }()
}
