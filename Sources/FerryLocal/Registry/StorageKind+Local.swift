public import FerryCore

extension StorageKind {
    /// Files of this machine.
    public static let local: StorageKind = {
        var kind = StorageKind(
            type: LocalFileProvider.type,
            displayName: "Local files",
            summary: "Files of this machine"
        ) { configuration, opening in
            try LocalFileProvider(
                configuration: configuration,
                credentials: opening.credentials,
                environment: opening.environment
            )
        }
        kind.addressing = StorageAddressing(
            schemes: [StorageAddressing.Scheme("file", defaultPort: 0)],
            example: "file:///folder/",
            serverWords: "a folder of this machine"
        )
        return kind
    }()
}
